import {
  findDerivedAddress,
  findKlendMarketAuthority,
  getAddressBytes,
  KAMINO_FARMS_PROGRAM,
  KLEND_PROGRAM,
  type KlendReserve,
  klendInitObligationFarmsForReserve,
  NO_KEY,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { addressOf, vaultAuthorityOf } from './derived-addresses.ts';
import { instructionsOf } from './instructions-of.ts';
import { integrationAccountOf, venueAccountOf } from './integration-accounts.ts';
import type { BankParty, MissingAccount } from './venue-instructions.ts';

/** Of a farm's account for one staker. @see kfarms `UserState` */
const FARM_USER_SIZE = 920;
/** `ReserveFarmKind::Collateral`. */
const COLLATERAL = 0;
const klend = instructionsOf({ program: KLEND_PROGRAM });

/** The farm in which a reserve's depositors earn, and where it counts what a bank's obligation has there. */
export interface KaminoFarm {
  readonly farm: Address;
  readonly user: Address;
}

/** Null for a reserve without one. @see kfarms: seeds `user`, farm, obligation */
export async function farmOf(reserve: KlendReserve, obligation: Address): Promise<KaminoFarm | null> {
  const farm = reserve.farmCollateral;
  if (farm === NO_KEY) return null;
  const user = await addressOf(
    findDerivedAddress({
      programAddress: KAMINO_FARMS_PROGRAM,
      seeds: ['user', getAddressBytes(farm), getAddressBytes(obligation)],
    }),
  );
  return { farm, user };
}

/** A bank that is older than its reserve's farm has no account there, and can neither be deposited into nor withdrawn from without. */
export async function farmUser(
  { authority, bank, program }: BankParty,
  { lendingMarket }: KlendReserve,
  { farm, user }: KaminoFarm,
): Promise<MissingAccount> {
  const accounts = {
    payer: authority,
    owner: await vaultAuthorityOf(bank.address, program),
    obligation: integrationAccountOf(bank, 1),
    lendingMarketAuthority: await marketAuthorityOf(lendingMarket),
    reserve: venueAccountOf(bank),
    reserveFarmState: farm,
    obligationFarm: user,
    lendingMarket,
    farmsProgram: KAMINO_FARMS_PROGRAM,
    rent: RENT_SYSVAR,
    systemProgram: SYSTEM_PROGRAM,
  };
  const create = klend(klendInitObligationFarmsForReserve, accounts, { mode: COLLATERAL });
  return { address: user, bytes: FARM_USER_SIZE, create };
}

export function marketAuthorityOf(market: Address): Promise<Address> {
  return addressOf(findKlendMarketAuthority(market));
}
