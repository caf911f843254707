import { formatI80F48, parseI80F48 } from '@lending/domain';
import { createLogger } from '@lending/runtime';
import { describe, expect, it } from 'vitest';
import { LEDGER } from '../testing/account-rows.ts';
import { CHAIN_TIME_MS } from '../testing/bank-row.ts';
import { SOL_BANK, strategyBanks, strategyMeasures, swapQuoteRow, USDC_BANK } from '../testing/strategy-rows.ts';
import { fakeStore } from '../testing/test-app.ts';
import { createBankSet } from './bank-set.ts';
import { createMeasureSet } from './measure-set.ts';
import type { ReadStore } from './read-store.ts';
import { createStrategySet } from './strategy-set.ts';
import type { StrategySnapshot } from './strategy-snapshot.ts';

const logger = createLogger({ level: 'silent', name: 'test' });

function openSets(changes: Partial<ReadStore>) {
  let nowMs = CHAIN_TIME_MS;
  const now = () => nowMs;
  const store = fakeStore(strategyBanks(), {
    listBankMeasures: async () => strategyMeasures(),
    listSwapQuotes: async () => [swapQuoteRow()],
    ...changes,
  });
  const banks = createBankSet({ store, logger, now });
  const measures = createMeasureSet({ store, banks, logger, now });
  const strategies = createStrategySet({ store, banks, measures, logger, maxPriceImpactE18: 10n ** 16n, now });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { store, banks, measures, strategies, pass };
}

const solOnDollars = ({ strategies }: StrategySnapshot) =>
  strategies.find(({ record }) => record.supply.bank === SOL_BANK && record.borrow.symbol === 'USDC')?.record;

describe('createStrategySet', () => {
  it('ranks once for the same inputs, however often it is asked', async () => {
    const { strategies } = openSets({});
    const first = await strategies.get();
    expect(await strategies.get()).toBe(first);
    expect(solOnDollars(first)?.rates.lend_apy_pct).toBeCloseTo(2.02, 2);
  });

  it('ranks anew when rates are others', async () => {
    let apr = '0.02';
    const { banks, strategies } = openSets({
      listBanks: async () => strategyBanks({ [SOL_BANK]: { deposit_apr: apr } }),
    });
    const first = await strategies.get();
    apr = '0.03';
    banks.markChanged();
    await expect.poll(async () => solOnDollars(await strategies.get())?.rates.lend_apy_pct).toBeCloseTo(3.045, 2);
    expect(solOnDollars(first)?.rates.lend_apy_pct).toBeCloseTo(2.02, 2);
  });

  it('ranks anew when a swap was quoted', async () => {
    let quotes: ReturnType<typeof swapQuoteRow>[] = [];
    const { strategies } = openSets({ listSwapQuotes: async () => quotes });
    expect(solOnDollars(await strategies.get())?.cost).toMatchObject({ swap_bps: null, entry_bps: null });
    quotes = [swapQuoteRow()];
    strategies.markChanged();
    await expect.poll(async () => solOnDollars(await strategies.get())?.cost.swap_bps).toBeGreaterThan(10);
  });

  it('reads prices of days once an hour, and ranks again by them', async () => {
    let days = 59;
    let reads = 0;
    const daily = (bank: string, priceOf: (day: number) => string) => {
      const list = Array.from({ length: days }, (_, day) => day);
      return { bank, days: list, prices: list.map(priceOf) };
    };
    let nowMs = CHAIN_TIME_MS;
    const { store, ...opened } = openSets({
      listDayPrices: async () => {
        reads += 1;
        return [daily(SOL_BANK, (day) => (day < 30 ? '150' : '75')), daily(USDC_BANK, () => '1')];
      },
    });
    // Nothing but the days changes.
    const [banks, measures] = [await opened.banks.get(), await opened.measures.get()];
    const strategies = createStrategySet({
      store,
      banks: { get: async () => banks },
      measures: { get: async () => measures },
      logger,
      maxPriceImpactE18: 10n ** 16n,
      now: () => nowMs,
      maxAgeMs: Number.POSITIVE_INFINITY,
    });
    const partsNow = async () => solOnDollars(await strategies.get())?.score_parts;
    expect(await partsNow()).toMatchObject({ bad_month_pct: 40, bad_month_assumed: true });
    days = 60;
    nowMs += 3_600_000;
    expect(await partsNow()).toMatchObject({ bad_month_assumed: true });
    expect(reads).toBe(1);
    nowMs += 1;
    await partsNow();
    await expect.poll(() => reads).toBe(2);
    expect(await partsNow()).toMatchObject({ bad_month_pct: 50, bad_month_assumed: false });
  });

  it('assumes the bad month of a bank whose prices cannot be read', async () => {
    const dayPrices = [{ bank: SOL_BANK, days: [1], prices: ['nonsense'] }];
    const { strategies } = openSets({ listDayPrices: async () => dayPrices });
    expect(solOnDollars(await strategies.get())?.score_parts).toMatchObject({ bad_month_assumed: true });
  });

  it('keeps answering from memory while the database is away', async () => {
    let isAway = false;
    const orAway = async <T>(rows: T) => {
      if (isAway) throw new Error('away');
      return rows;
    };
    const { strategies, pass } = openSets({
      listBanks: () => orAway(strategyBanks()),
      listBankMeasures: () => orAway(strategyMeasures()),
      listSwapQuotes: () => orAway([swapQuoteRow()]),
      listDayPrices: () => orAway([]),
    });
    const first = await strategies.get();
    isAway = true;
    pass(3_600_000);
    expect((await strategies.get()).strategies).toHaveLength(first.strategies.length);
  });

  it('leaves out a quote that cannot be read, and nothing else', async () => {
    const { strategies } = openSets({ listSwapQuotes: async () => [swapQuoteRow({ in_price_usd: 'nonsense' })] });
    expect(solOnDollars(await strategies.get())).toMatchObject({ cost: { swap_bps: null } });
  });

  it('shows the fee of a loan as it was configured', async () => {
    const ledger = { ...LEDGER, originationFee: formatI80F48(parseI80F48('0.0007')) };
    const { strategies } = openSets({ listBankMeasures: async () => strategyMeasures({ [USDC_BANK]: { ledger } }) });
    expect(solOnDollars(await strategies.get())?.cost.origination_fee_bps).toBe(7);
  });

  it('makes a record once, when somebody looks', async () => {
    const [entry] = (await openSets({}).strategies.get()).strategies;
    expect(entry?.record).toBe(entry?.record);
    expect(entry?.readings).toHaveLength(2);
  });
});
