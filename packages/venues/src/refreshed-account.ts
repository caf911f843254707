import { largerOf } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import { juplendLendingLayout, klendReserveLayout, solendReserveLayout } from '@lending/programs';
import type { Address, ReadonlyUint8Array } from '@solana/kit';
import type { AccountBytes } from './account.ts';
import { accrueReserve as accrueKaminoReserve } from './kamino/accrual.ts';
import type { Moment } from './moment.ts';
import { readReserve } from './read-reserve.ts';
import type { ReserveKeys, ReserveVenue } from './reserve.ts';
import { accrueReserve as accrueSolendReserve } from './solend/accrual.ts';
import { juplendLending, kaminoMarket, kaminoReserve, type ReadAccount, solendReserve } from './venue-readers.ts';

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
    const ofMarket = read(market);
    if (!ofMarket) return null;
    const reserve = kaminoReserve(account);
    const accrued = accrueKaminoReserve(reserve, kaminoMarket(ofMarket), moment);
    const lastUpdate = { ...accrued.lastUpdate, slot: largerOf(moment.slot, reserve.lastUpdate.slot) };
    return klendReserveLayout.encode({ ...accrued, lastUpdate });
  },
  solend: (account, _keys, _read, moment) => {
    const stored = solendReserve(account);
    // Another node may have shown the reserve of a later slot.
    const slot = largerOf(moment.slot, stored.lastUpdate.slot);
    const { liquidity, accumulatedProtocolFeesWads } = accrueSolendReserve(stored, slot);
    const lastUpdate = { ...stored.lastUpdate, slot };
    return solendReserveLayout.encode({ ...stored, liquidity, accumulatedProtocolFeesWads, lastUpdate });
  },
  juplend: (account, keys, read, moment) => {
    const lending = juplendLending(account);
    const { exchangeRateE18 } = readReserve(keys, read, moment);
    if (exchangeRateE18 === null) return null;
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
