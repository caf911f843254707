import {
  DRIFT_STATE,
  findJuplendLiquidity,
  findJuplendRateModel,
  findJuplendRewardsRateModel,
  NO_KEY,
} from '@lending/programs';
import type { P0Bank, ReserveKeys, ReserveVenue } from '@lending/venues';
import { driftMarket, juplendLending, juplendTokenReserve, kaminoReserve, solendReserve } from '@lending/venues';
import type { Address } from '@solana/kit';
import { readOrNull } from '#account-readers.ts';
import { addressOf } from '#instructions/derived-addresses.ts';
import type { ReadAccount } from './live-accounts.ts';

type KeysOf = (reserve: Address, mint: Address, read: ReadAccount) => Promise<Omit<ReserveKeys, 'venue' | 'mint'>>;

const KEYS: Readonly<Record<ReserveVenue, KeysOf>> = {
  kamino: async (address, _mint, read) => {
    const market = readOrNull(kaminoReserve, read(address))?.lendingMarket ?? address;
    return { address, market, accounts: [...new Set([address, market])] };
  },
  solend: async (address, _mint, read) => {
    const market = readOrNull(solendReserve, read(address))?.lendingMarket ?? address;
    return { address, market, accounts: [...new Set([address, market])] };
  },
  drift: async (address, _mint, read) => {
    const vault = readOrNull(driftMarket, read(address))?.vault ?? address;
    return { address, market: DRIFT_STATE, accounts: [...new Set([address, vault, DRIFT_STATE])] };
  },
  juplend: async (address, mint, read) => {
    const market = await addressOf(findJuplendLiquidity());
    const pool = readOrNull(juplendLending, read(address));
    if (pool === null) return { address, market, accounts: [address, market] };
    const rateModel = await addressOf(findJuplendRateModel(mint));
    const rewards =
      pool.rewardsRateModel === NO_KEY ? await addressOf(findJuplendRewardsRateModel(mint)) : pool.rewardsRateModel;
    const { tokenReservesLiquidity: reserve, supplyPositionOnLiquidity: position, fTokenMint } = pool;
    const vault = readOrNull(juplendTokenReserve, read(reserve))?.vault ?? reserve;
    return { address, market, accounts: [address, reserve, rateModel, position, rewards, fTokenMint, vault, market] };
  },
};

/**
 * The accounts that a venue's adapter reads a bank's reserve from, as far as what was read tells (what cannot be read is refused by
 * who values the bank or builds on it); null for P0's own pools. Farms of
 * Kamino are left out: they say what is paid on top, which decides nothing here.
 */
export async function reserveKeysOf(bank: P0Bank, read: ReadAccount): Promise<ReserveKeys | null> {
  const { venue, mint, venueAccount } = bank;
  if (venue === 'p0' || venueAccount === null) return null;
  return { venue, mint, ...(await KEYS[venue](venueAccount, mint, read)) };
}
