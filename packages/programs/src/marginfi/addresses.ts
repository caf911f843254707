import { type Address, address, getU16Encoder, type ProgramDerivedAddress } from '@solana/kit';
import { findDerivedAddress } from '#derived-address.ts';
import { getAddressBytes } from '#fixed-offset/address-codec.ts';

export const MARGINFI_PROGRAM: Address = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
/** The production group on mainnet. */
export const MARGINFI_MAIN_GROUP: Address = address('4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8');

/** The three token accounts of a bank. */
export type BankVault = 'liquidity' | 'insurance' | 'fee';

/** The token account that holds a bank's tokens; the bank stores the same address. */
export function findBankVault(
  vault: BankVault,
  bank: Address,
  programAddress: Address = MARGINFI_PROGRAM,
): Promise<ProgramDerivedAddress> {
  return findFromKey(`${vault}_vault`, bank, programAddress);
}

/** The PDA that owns a bank's vault and signs for it. */
export function findBankVaultAuthority(
  vault: BankVault,
  bank: Address,
  programAddress: Address = MARGINFI_PROGRAM,
): Promise<ProgramDerivedAddress> {
  return findFromKey(`${vault}_vault_auth`, bank, programAddress);
}

export function findBankMetadata(
  bank: Address,
  programAddress: Address = MARGINFI_PROGRAM,
): Promise<ProgramDerivedAddress> {
  return findFromKey('metadata', bank, programAddress);
}

/** What a lending account's address is derived from, where it is not a key pair's. */
export interface LendingAccountSeeds {
  readonly group: Address;
  readonly authority: Address;
  readonly index: number;
  /** Default: 0, nobody's. */
  readonly thirdPartyId?: number;
}

/** The lending account that `marginfi_account_initialize_pda` creates. */
export function findMarginfiAccount(
  { group, authority, index, thirdPartyId = 0 }: LendingAccountSeeds,
  programAddress: Address = MARGINFI_PROGRAM,
): Promise<ProgramDerivedAddress> {
  const u16 = getU16Encoder();
  const seeds = [getAddressBytes(group), getAddressBytes(authority), u16.encode(index), u16.encode(thirdPartyId)];
  return findDerivedAddress({ programAddress, seeds: ['marginfi_account', ...seeds] });
}

/** The one fee state of a program. */
export function findFeeState(programAddress: Address = MARGINFI_PROGRAM): Promise<ProgramDerivedAddress> {
  return findDerivedAddress({ programAddress, seeds: ['feestate'] });
}

/** Where the tips for rebalancing an account wait, from 0.1.12. It need not exist. */
export function findRebalanceFeePool(
  account: Address,
  programAddress: Address = MARGINFI_PROGRAM,
): Promise<ProgramDerivedAddress> {
  return findFromKey('rebalance_fee_pool', account, programAddress);
}

function findFromKey(seed: string, key: Address, programAddress: Address): Promise<ProgramDerivedAddress> {
  return findDerivedAddress({ programAddress, seeds: [seed, getAddressBytes(key)] });
}
