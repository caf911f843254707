import { assetWeightOf, I80F48_ONE, maxLeverageHundredths, reconcileEmode } from '@lending/domain';
import { MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM } from '@lending/programs';
import {
  decodeBank,
  decodeGroup,
  loadOracle,
  oracleAccountsOf,
  toRiskBank,
  toRiskPriceOnceRefreshed,
} from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { quoteSwap } from '#programs/swap/quote-swap.ts';
import { readPool } from '#programs/swap/read-pool.ts';
import type { DemoBank } from './demo-bank.ts';
import { createDemoMarket, DEMO_BANKS } from './demo-market.ts';
import { DEMO_FEEDS } from './feeds.ts';
import { ON_DEMAND_FEEDS } from './move-prices.ts';
import { oracleAccount } from './oracle-accounts.ts';
import { priceAt } from './price-walk.ts';
import { MemoryLedger } from './testing/memory-ledger.ts';
import { DEMO_TOKENS, type DemoTokenName } from './tokens.ts';

const START = { unixTimestamp: 1_795_255_000n, slot: 450_000_000n };
const SEED = 1;
/** Some ten minutes apart, so that a mean price and its spot come apart differently each time. */
const MOMENTS = Array.from({ length: 25 }, (_, index) => BigInt(index) * 1_507n);
const PUBLISHED_WITHIN_SLOTS = 5n;
const E18 = 10n ** 18n;
const PRINCIPAL_USD = 1_000n;
const SLIPPAGE_BPS = 50n;
const BPS = 10_000n;
/** What the dearest route of the dearer aggregator costs beyond the pools' fee. */
const DEAREST_ROUTE_BPS = 7;

const NATIVE = 'P0 | -';
/** What loops at its maximum at every moment. Tokens whose mean price trails the spot by more than the margin do so at some. */
const PAIRS: readonly (readonly [DemoTokenName, string, DemoTokenName])[] = [
  ['USDC', NATIVE, 'USDT'],
  ['USDT', NATIVE, 'USDC'],
  ['PYUSD', NATIVE, 'USDC'],
  ['JitoSOL', NATIVE, 'SOL'],
  ['mSOL', NATIVE, 'SOL'],
  ['INF', NATIVE, 'SOL'],
  ['SOL', NATIVE, 'USDC'],
  ['JitoSOL', NATIVE, 'USDT'],
  ['USDC', 'Kamino | Main Market', 'USDT'],
  ['SOL', 'Kamino | Main Market', 'USDC'],
  ['SOL', 'Kamino | Main Market', 'JitoSOL'],
  ['USDC', 'Jupiter | -', 'SOL'],
  ['USDT', 'Jupiter | -', 'USDC'],
];

const market = await createDemoMarket({ ...START, seed: SEED });
const ledger = new MemoryLedger(market.genesis.accounts, START.unixTimestamp);

/** Lets every feed state its price of a slot some moments after one. */
function moveTo(slot: bigint): bigint {
  ledger.unixTimestamp = START.unixTimestamp + ((slot - START.slot) * 2n) / 5n;
  const last = slot + PUBLISHED_WITHIN_SLOTS;
  for (let at = slot; at <= last; at += 1n) market.onSlot(ledger, at);
  const moment = { slot: last, unixTimestamp: ledger.unixTimestamp };
  for (const name of ON_DEMAND_FEEDS) {
    const feed = DEMO_FEEDS[name];
    ledger.accounts.set(feed.account, oracleAccount(name, feed, priceAt(name, SEED, last), moment));
  }
  return last;
}

function bankOf(token: DemoTokenName, venue: string): DemoBank {
  const row = DEMO_BANKS.find((each) => each.token === token && each.description.endsWith(`| ${venue}`));
  if (row === undefined) throw new TypeError(`The demo market has no ${token} bank of ${venue}`);
  return row;
}

/** The bank as the risk engine sees it, and how far its price for a new position lies from the spot, 18 decimals. */
function readBank({ address }: DemoBank, slot: bigint) {
  const bank = decodeBank(ledger.bytes(address), MARGINFI_PROGRAM);
  const group = decodeGroup(ledger.bytes(MARGINFI_MAIN_GROUP), MARGINFI_PROGRAM);
  const moment = { slot, unixTimestamp: ledger.unixTimestamp };
  const price = toRiskPriceOnceRefreshed(
    bank,
    loadOracle(
      bank,
      oracleAccountsOf(bank).map((key) => ledger.bytes(key)),
      moment,
    ),
  );
  if (price.kind === 'failed' || typeof price.ema === 'string' || typeof price.spot === 'string') {
    throw new TypeError(`${address} has no price: ${JSON.stringify(price)}`);
  }
  const { low, high } = price.ema;
  const spot = price.spot.spot;
  const risk = toRiskBank(bank, group, ledger.unixTimestamp);
  return { bank, risk, lowE18: (low * E18) / spot, highE18: (high * E18) / spot };
}

/** Weighted assets less weighted debt of a fresh loop that supplies `PRINCIPAL_USD` times the maximum; any scale. */
function healthAtMaximum(deposit: DemoBank, borrow: DemoBank, slot: bigint): bigint {
  const [collateral, debt] = [readBank(deposit, slot), readBank(borrow, slot)];
  const pair = { collateral: collateral.risk, debt: debt.risk, originationFee: debt.bank.originationFee };
  const leverage = maxLeverageHundredths(pair);
  if (leverage === null || leverage <= 100n) throw new TypeError('The pair cannot be looped');
  const assetWeight = assetWeightOf(pair.collateral, 'initial', reconcileEmode([pair.debt]));
  const boughtUsd = (PRINCIPAL_USD * (leverage - 100n)) / 100n;
  const assets = PRINCIPAL_USD * leverage * assetWeight * collateral.lowE18;
  const owedE18 = (boughtUsd * costE18(borrow, deposit, boughtUsd) * (I80F48_ONE + pair.originationFee)) / I80F48_ONE;
  return assets * E18 - 100n * owedE18 * pair.debt.weights.liabilityInit * debt.highE18;
}

/** What must be borrowed for a dollar that is sure to arrive, 18 decimals. */
function costE18(from: DemoBank, to: DemoBank, usd: bigint): bigint {
  const [give, take] = [from, to].map(({ token }) => readPool(ledger.account, DEMO_TOKENS[token]));
  if (give == null || take == null) throw new TypeError('A token is not traded');
  const amountIn = (usd * E18 * 10n ** BigInt(give.side.decimals)) / give.side.priceE18;
  const { amountOut } = quoteSwap(amountIn, give.side, take.side, DEAREST_ROUTE_BPS);
  const sureE18 = (((amountOut * take.side.priceE18) / 10n ** BigInt(take.side.decimals)) * (BPS - SLIPPAGE_BPS)) / BPS;
  return (usd * E18 * E18) / sureE18;
}

describe('the demo market', () => {
  it.each(PAIRS)('lets %s (%s) be looped against %s at the maximum, at any moment', (deposit, venue, borrow) => {
    for (const moment of MOMENTS) {
      const slot = moveTo(START.slot + moment);
      expect(healthAtMaximum(bankOf(deposit, venue), bankOf(borrow, NATIVE), slot), `slot ${slot}`).toBeGreaterThan(0n);
    }
  });
});
