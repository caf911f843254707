import { largerOf } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import { juplendLendingLayout, klendMarketLayout, klendReserveLayout, solendReserveLayout } from '@lending/programs';
import {
  type AccountBytes,
  accrueKaminoReserve,
  accrueSolendReserve,
  correctSolendReserve,
  type Moment,
  type ReserveKeys,
  type ReserveVenue,
} from '@lending/venues';
import type { Address, FixedSizeDecoder, ReadonlyUint8Array } from '@solana/kit';
import type { ReadAccount } from '#live/live-accounts.ts';
import { readReserve } from './read-reserve.ts';

type Refresh = (
  account: AccountBytes,
  keys: ReserveKeys,
  read: ReadAccount,
  moment: Moment,
) => ReadonlyUint8Array | null;

/** JupLend's prices have 12 decimals, readings 18. */
const PRICE_TO_E18 = 10n ** 6n;

const REFRESH: Readonly<Record<ReserveVenue, Refresh>> = {
  kamino: (account, { market }, read, moment) => {
    const reserve = decodeWhole(klendReserveLayout, account);
    const ofMarket = decodeWhole(klendMarketLayout, read(market) ?? null);
    if (reserve === null || ofMarket === null) return null;
    const accrued = accrueKaminoReserve(reserve, ofMarket, moment);
    const lastUpdate = { ...accrued.lastUpdate, slot: largerOf(moment.slot, reserve.lastUpdate.slot) };
    return klendReserveLayout.encode({ ...accrued, lastUpdate });
  },
  solend: (account, _keys, _read, moment) => {
    const stored = decodeWhole(solendReserveLayout, account);
    if (stored === null) return null;
    // Another node may have shown the reserve of a later slot.
    const slot = largerOf(moment.slot, stored.lastUpdate.slot);
    const { liquidity, accumulatedProtocolFeesWads } = accrueSolendReserve(correctSolendReserve(stored), slot);
    const lastUpdate = { ...stored.lastUpdate, slot };
    return solendReserveLayout.encode({ ...stored, liquidity, accumulatedProtocolFeesWads, lastUpdate });
  },
  juplend: (account, keys, read, moment) => {
    const lending = decodeWhole(juplendLendingLayout, account);
    const { exchangeRateE18 } = readReserve(keys, read, moment);
    if (lending === null || exchangeRateE18 === null) return null;
    const tokenExchangePrice = exchangeRateE18 / PRICE_TO_E18;
    const lastUpdateTimestamp = moment.unixTimestamp;
    return juplendLendingLayout.encode({ ...lending, tokenExchangePrice, lastUpdateTimestamp });
  },
  // Its markets are suspended: nobody brings their interest up to date any more.
  drift: () => null,
};

/**
 * The account that a venue's receipts are valued by, as a refresh at this moment leaves it.
 * @returns null where it cannot be refreshed, or is none.
 */
export function refreshedAccount(
  keys: ReserveKeys,
  address: Address,
  read: ReadAccount,
  moment: Moment,
): AccountBytes | null {
  const account = read(address);
  if (!account || address !== keys.address) return null;
  try {
    const data = REFRESH[keys.venue](account, keys, read, moment);
    return data === null ? null : { ...account, data: Uint8Array.from(data) };
  } catch (error) {
    // What a refresh fails with, and bytes of another kind, are told by whoever reads the reserve itself.
    if (isLendingError(error)) return null;
    throw error;
  }
}

function decodeWhole<T>(decoder: FixedSizeDecoder<T>, account: AccountBytes | null): T | null {
  return account !== null && account.data.length >= decoder.fixedSize ? decoder.decode(account.data) : null;
}
