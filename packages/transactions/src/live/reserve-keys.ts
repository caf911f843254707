import {
  DRIFT_STATE,
  driftSpotMarketLayout,
  findJuplendLiquidity,
  findJuplendRateModel,
  findJuplendRewardsRateModel,
  juplendLendingLayout,
  juplendTokenReserveLayout,
  klendReserveLayout,
  NO_KEY,
  solendReserveLayout,
} from '@lending/programs';
import type { P0Bank, ReserveKeys, ReserveVenue } from '@lending/venues';
import type { Address, FixedSizeDecoder } from '@solana/kit';
import { addressOf } from '#instructions/derived-addresses.ts';
import type { ReadAccount } from './live-accounts.ts';

type KeysOf = (reserve: Address, mint: Address, read: ReadAccount) => Promise<Omit<ReserveKeys, 'venue' | 'mint'>>;

const [klend, solend, drift] = [klendReserveLayout, solendReserveLayout, driftSpotMarketLayout];
const [lending, tokenReserve] = [juplendLendingLayout, juplendTokenReserveLayout];

const KEYS: Readonly<Record<ReserveVenue, KeysOf>> = {
  kamino: async (address, _mint, read) => {
    const market = decode(klend, address, read)?.lendingMarket ?? address;
    return { address, market, accounts: [...new Set([address, market])] };
  },
  solend: async (address, _mint, read) => {
    const market = decode(solend, address, read)?.lendingMarket ?? address;
    return { address, market, accounts: [...new Set([address, market])] };
  },
  drift: async (address, _mint, read) => {
    const vault = decode(drift, address, read)?.vault ?? address;
    return { address, market: DRIFT_STATE, accounts: [...new Set([address, vault, DRIFT_STATE])] };
  },
  juplend: async (address, mint, read) => {
    const market = await addressOf(findJuplendLiquidity());
    const pool = decode(lending, address, read);
    if (pool === null) return { address, market, accounts: [address, market] };
    const rateModel = await addressOf(findJuplendRateModel(mint));
    const rewards =
      pool.rewardsRateModel === NO_KEY ? await addressOf(findJuplendRewardsRateModel(mint)) : pool.rewardsRateModel;
    const { tokenReservesLiquidity: reserve, supplyPositionOnLiquidity: position, fTokenMint } = pool;
    const vault = decode(tokenReserve, reserve, read)?.vault ?? reserve;
    return { address, market, accounts: [address, reserve, rateModel, position, rewards, fTokenMint, vault, market] };
  },
};

/**
 * The accounts that a venue's adapter reads a bank's reserve from, as far as what was read tells; null for P0's own pools. Farms of
 * Kamino are left out: they say what is paid on top, which decides nothing here.
 */
export async function reserveKeysOf(bank: P0Bank, read: ReadAccount): Promise<ReserveKeys | null> {
  const { venue, mint, venueAccount } = bank;
  if (venue === 'p0' || venueAccount === null) return null;
  return { venue, mint, ...(await KEYS[venue](venueAccount, mint, read)) };
}

/** Null where it was not read, or cannot be: whoever values the bank says so. */
function decode<T>(decoder: FixedSizeDecoder<T>, address: Address, read: ReadAccount): T | null {
  const account = read(address);
  return account && account.data.length >= decoder.fixedSize ? decoder.decode(account.data) : null;
}
