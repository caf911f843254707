import { largerOf } from '@lending/domain';
import type { SolendReserve } from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import { presentAccount } from '../decode-account.ts';
import type { ReserveKeys, ReservePrice, ReserveReading } from '../reserve.ts';
import type { VenueAdapter, VenueMoment } from '../venue-adapter.ts';
import { accrueReserve } from './accrual.ts';
import { decodeMarket, decodeReserve } from './decode-reserve.ts';
import { discoverReserves } from './discovery.ts';
import { exchangeRateOf, totalSupplyWads } from './exchange-rate.ts';
import { limitsOf } from './limits.ts';
import { ratesOf } from './rates.ts';
import { statusOf } from './status.ts';
import { WAD } from './wads.ts';

/** Save, formerly Solend: a reserve and the market it belongs to. */
export const solendAdapter: VenueAdapter = { venue: 'solend', discover: discoverReserves, readReserve };

function readReserve(
  keys: ReserveKeys,
  [reserveAccount, marketAccount]: readonly (AccountBytes | null)[],
  moment: VenueMoment,
): ReserveReading {
  const stored = decodeReserve(presentAccount(reserveAccount, 'Save reserve', keys.address));
  const market = decodeMarket(presentAccount(marketAccount, 'Save lending market', keys.address));
  const slot = largerOf(moment.slot, stored.lastUpdate.slot);
  const reserve = accrueReserve(stored, slot);
  const { status, reasons } = statusOf(reserve, market);
  return {
    keys,
    decimals: reserve.liquidity.mintDecimals,
    receiptMint: reserve.collateral.mintPubkey,
    // Save keeps names off the chain.
    symbol: null,
    marketName: null,
    status,
    statusReasons: reasons,
    rates: ratesOf(reserve, moment.slotMicros),
    // Rewards are computed off the chain and claimed by proof: nothing on it says what they are.
    incentives: [],
    sizes: {
      depositsBase: totalSupplyWads(reserve) / WAD,
      borrowsBase: reserve.liquidity.borrowedAmountWads / WAD,
      availableBase: reserve.liquidity.availableAmount,
    },
    limits: limitsOf(reserve, market, slot),
    price: priceOf(reserve),
    exchangeRateE18: exchangeRateOf(reserve),
    lastUpdate: { slot: stored.lastUpdate.slot, unixTimestamp: null },
  };
}

/** As old as the last refresh with prices, which the account does not tell from one without: deposits and withdrawals refresh interest alone. */
function priceOf({ liquidity }: SolendReserve): ReservePrice | null {
  return liquidity.marketPrice === 0n ? null : { usdE18: liquidity.marketPrice, publishedAt: null };
}
