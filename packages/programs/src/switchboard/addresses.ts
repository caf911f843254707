import { type Address, address, type ProgramDerivedAddress } from '@solana/kit';
import { findDerivedAddress } from '#derived-address.ts';
import { getAddressBytes } from '#fixed-offset/address-codec.ts';
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../token/addresses.ts';

/** Switchboard On-Demand on mainnet: owner of pull feeds. */
export const SWITCHBOARD_ON_DEMAND_PROGRAM: Address = address('SBondMDrcV3K4kxZR1HNVT7osZxAHVHgYXL5Ze1oMUv');
/** Mainnet's queue: the oracles that sign for its feeds. */
export const SWITCHBOARD_MAINNET_QUEUE: Address = address('A43DyUGA7s8eXPxqEjJY6EBu1KKbNgfxF8h17VAHn13w');

/** The account of the program's own settings. */
export function findSwitchboardState(
  programAddress: Address = SWITCHBOARD_ON_DEMAND_PROGRAM,
): Promise<ProgramDerivedAddress> {
  return findDerivedAddress({ programAddress, seeds: ['STATE'] });
}

/** Where the program counts what an oracle signed. */
export function findOracleStats(
  oracle: Address,
  programAddress: Address = SWITCHBOARD_ON_DEMAND_PROGRAM,
): Promise<ProgramDerivedAddress> {
  return findDerivedAddress({ programAddress, seeds: ['OracleStats', getAddressBytes(oracle)] });
}

/** The wrapped SOL that a queue pays its oracles with: its associated token account. */
export function findQueueRewardVault(queue: Address): Promise<ProgramDerivedAddress> {
  return findDerivedAddress({
    programAddress: ASSOCIATED_TOKEN_PROGRAM,
    seeds: [getAddressBytes(queue), getAddressBytes(TOKEN_PROGRAM), getAddressBytes(WRAPPED_SOL_MINT)],
  });
}
