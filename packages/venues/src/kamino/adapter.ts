import type { KlendReserve } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { nameOf } from '../clean-text.ts';
import { presentAccount } from '../decode-account.ts';
import type { ReserveIncentive, ReserveKeys, ReservePrice, ReserveReading } from '../reserve.ts';
import type { VenueAdapter, VenueMoment } from '../venue-adapter.ts';
import { accrueReserve } from './accrual.ts';
import { decodeFarm, decodeMarket, decodeReserve } from './decode-reserve.ts';
import { discoverReserves } from './discovery.ts';
import { exchangeRateOf } from './exchange-rate.ts';
import { limitsOf, sizesOf } from './limits.ts';
import { ratesOf } from './rates.ts';
import { farmIncentives } from './rewards.ts';
import { toE18 } from './scaled-fraction.ts';
import { statusOf } from './status.ts';

/** Kamino's lending markets (klend). */
export const kaminoAdapter: VenueAdapter = {
  venue: 'kamino',
  discover: discoverReserves,
  readReserve,
};

function readReserve(
  keys: ReserveKeys,
  accounts: readonly (AccountBytes | null)[],
  moment: VenueMoment,
): ReserveReading {
  const at = (key: Address) => accounts[keys.accounts.indexOf(key)] ?? null;
  const stored = decodeReserve(presentAccount(at(keys.address), 'Kamino reserve', keys.address));
  const market = decodeMarket(presentAccount(at(keys.market), 'Kamino market', keys.address));
  const reserve = accrueReserve(stored, market, moment);
  const permissions = statusOf(reserve, market);
  return {
    keys,
    decimals: Number(reserve.liquidity.mintDecimals),
    receiptMint: reserve.collateral.mintPubkey,
    symbol: nameOf(reserve.config.tokenInfo.name),
    marketName: nameOf(market.name),
    status: permissions.status,
    statusReasons: permissions.reasons,
    rates: ratesOf(reserve, market, moment.slotMicros),
    incentives: [
      ...incentivesOf(at(reserve.farmCollateral), 'deposit', moment),
      ...incentivesOf(at(reserve.farmDebt), 'borrow', moment),
    ],
    sizes: sizesOf(reserve),
    limits: limitsOf(reserve, permissions, moment.unixTimestamp),
    price: priceOf(reserve),
    exchangeRateE18: exchangeRateOf(reserve),
    lastUpdate: { slot: stored.lastUpdate.slot, unixTimestamp: BigInt(stored.lastUpdate.timestamp) || null },
  };
}

/** A farm that was closed pays nothing; one that the reserve was given since its discovery is read once it is discovered again. */
function incentivesOf(
  farm: AccountBytes | null,
  side: ReserveIncentive['side'],
  moment: VenueMoment,
): readonly ReserveIncentive[] {
  return farm === null ? [] : farmIncentives(decodeFarm(farm), side, moment);
}

/** As klend last read it, which may be older than its last refresh. */
function priceOf({ liquidity }: KlendReserve): ReservePrice | null {
  if (liquidity.marketPriceSf === 0n) return null;
  return { usdE18: toE18(liquidity.marketPriceSf), publishedAt: liquidity.marketPriceLastUpdatedTs || null };
}
