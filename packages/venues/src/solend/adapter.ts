import { largerOf } from '@lending/domain';
import { LendingError } from '@lending/errors';
import type { SolendReserve } from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import type { ReserveKeys, ReservePrice, ReserveReading } from '../reserve.ts';
import type { VenueAdapter, VenueMoment } from '../venue-adapter.ts';
import { accrueInterest } from './accrual.ts';
import { decodeMarket, decodeReserve } from './decode-reserve.ts';
import { discoverReserves } from './discovery.ts';
import { readExchangeRate, totalSupplyWads } from './exchange-rate.ts';
import { readLimits } from './limits.ts';
import { readRates } from './rates.ts';
import { readStatus } from './status.ts';
import { WAD } from './wads.ts';

/** Save, formerly Solend: a reserve and the market it belongs to. */
export const solendAdapter: VenueAdapter = { venue: 'solend', discover: discoverReserves, readReserve };

function readReserve(
  keys: ReserveKeys,
  accounts: readonly (AccountBytes | null)[],
  moment: VenueMoment,
): ReserveReading {
  const [reserveAccount, marketAccount] = keys.accounts.map((key, index) => present(accounts[index] ?? null, key)) as [
    AccountBytes,
    AccountBytes,
  ];
  const stored = decodeReserve(reserveAccount);
  const market = decodeMarket(marketAccount);
  const slot = largerOf(moment.slot, stored.lastUpdate.slot);
  const reserve = accrueInterest(stored, slot);
  return {
    keys,
    decimals: reserve.liquidity.mintDecimals,
    // Save keeps names off the chain.
    symbol: null,
    marketName: null,
    ...readStatus(reserve, market),
    rates: readRates(reserve, moment.slotMicros),
    // Rewards are computed off the chain and claimed by proof: nothing on it says what they are.
    incentives: [],
    sizes: {
      depositsBase: totalSupplyWads(reserve) / WAD,
      borrowsBase: reserve.liquidity.borrowedAmountWads / WAD,
      availableBase: reserve.liquidity.availableAmount,
    },
    limits: readLimits(reserve, market, slot),
    price: readPrice(reserve),
    exchangeRateE18: readExchangeRate(reserve),
    lastUpdate: { slot: stored.lastUpdate.slot, unixTimestamp: null },
  };
}

/** As old as the last refresh with prices, which the account does not tell from one without: deposits and withdrawals refresh interest alone. */
function readPrice({ liquidity }: SolendReserve): ReservePrice | null {
  return liquidity.marketPrice === 0n ? null : { usdE18: liquidity.marketPrice, publishedAt: null };
}

function present(account: AccountBytes | null, key: string): AccountBytes {
  if (account !== null) return account;
  throw new LendingError('DECODE__ACCOUNT_MALFORMED', {
    message: `The account ${key} that a Save reserve is read with does not exist`,
    context: { address: key },
  });
}
