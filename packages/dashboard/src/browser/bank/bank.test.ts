import { describe, expect, it } from 'vitest';
import type { WireHistoryReply, WireLimitsReply } from '../data/wire-records.ts';
import { bankSeries } from './bank-series.ts';
import { historyPath, RANGES, type RangeKey, readRange, startOf } from './history-range.ts';

const TIMES = ['2026-11-22T01:00:00.000Z', '2026-11-22T02:00:00.000Z', '2026-11-22T03:00:00.000Z'];
const HOUR = { isLending: true, stepSeconds: 3_600 };

function history(columns: WireHistoryReply['columns'] = {}): WireHistoryReply {
  const base = {
    time: TIMES,
    deposit_apy_pct: [3, null, 4],
    borrow_apy_pct: [6, null, 7],
    native_apy_pct: [0, null, 0],
    emissions_apy_pct: [0, null, 0],
  };
  const ends = { first_available: null, last_available: null, gap_count: 1 };
  return { interval: '1h', columns: { ...base, ...columns }, ...ends };
}

function limits(unit: 'token' | 'receipt'): WireLimitsReply {
  const entry = { value_limit_usd: null, borrow_limit: null };
  return {
    deposit_limit_unit: unit,
    limits: [
      { ...entry, time: '2026-11-22T03:59:00.000Z', first_seen: false, deposit_limit: 200 },
      { ...entry, time: '2026-11-22T02:30:00.000Z', first_seen: true, deposit_limit: 100 },
    ],
  };
}

const keys = (lines: readonly { readonly key: string }[]) => lines.map(({ key }) => key);

describe('bankSeries', () => {
  it('shows interest alone where nothing else is earned, and leaves gaps gaps', () => {
    const { rates, hasParts, times } = bankSeries(history(), null, HOUR);
    expect(times).toEqual([1_795_309_200, 1_795_312_800, 1_795_316_400]);
    expect(hasParts).toBe(false);
    expect(rates.map(({ label, values }) => [label, values])).toEqual([
      ['Deposit interest', [3, null, 4]],
      ['Borrow interest', [6, null, 7]],
    ]);
  });

  it('adds up the parts that are known, and none without interest', () => {
    const { rates, hasParts } = bankSeries(
      history({ native_apy_pct: [null, 6, 6], emissions_apy_pct: [0, 0, 0] }),
      null,
      HOUR,
    );
    expect(hasParts).toBe(true);
    expect(keys(rates)).toEqual(['deposit', 'interest', 'native', 'borrow']);
    expect(rates[0]?.values).toEqual([3, null, 10]);
  });

  it('shows no debts of a bank that does not lend', () => {
    const { rates, sizes } = bankSeries(history(), limits('token'), { ...HOUR, isLending: false });
    expect(keys(rates)).toEqual(['deposit']);
    expect(keys(sizes)).toEqual(['deposits', 'deposit_limit']);
  });

  it('steps a limit when it was seen, and does not say what held before', () => {
    const line = bankSeries(history(), limits('token'), HOUR).sizes.find(({ key }) => key === 'deposit_limit');
    expect(line).toMatchObject({ isStepped: true, values: [null, 100, 200] });
  });

  it('counts a limit of receipts in what they were worth, and does not guess that', () => {
    const columns = { exchange_rate: ['1.1', '1.2', null] };
    const { sizes } = bankSeries(history(columns), limits('receipt'), HOUR);
    expect(sizes.find(({ key }) => key === 'deposit_limit')?.values).toEqual([null, 120, null]);
  });

  it('has no line of a limit that is none', () => {
    expect(keys(bankSeries(history(), limits('token'), HOUR).sizes)).toEqual(['deposits', 'borrows', 'deposit_limit']);
  });
});

const NOW = Date.parse('2026-11-22T05:23:45.678Z');

describe('readRange', () => {
  it.each([
    ['7d', '7d'],
    ['1y', '1y'],
    [null, '24h'],
    ['2y', '24h'],
    ['__proto__', '24h'],
  ])('takes %s as %s', (text, range) => {
    expect(readRange(text)).toBe(range);
  });
});

describe('startOf', () => {
  it.each([
    ['24h', '2026-11-21T05:24:00.000Z'],
    ['7d', '2026-11-15T06:00:00.000Z'],
    ['90d', '2026-08-25T00:00:00.000Z'],
  ] as const)('begins %s at a whole step, so that the last step counts', (range, start) => {
    expect(new Date(startOf(range, NOW)).toISOString()).toBe(start);
  });

  it('asks for no more steps than one answer holds', () => {
    const most = { '1m': 24 * 60, '1h': 90 * 24, '1d': 36_600 };
    for (const range of Object.keys(RANGES) as RangeKey[]) {
      const { interval, stepSeconds } = RANGES[range];
      const steps = Math.floor(NOW / 1000 / stepSeconds) + 1 - startOf(range, NOW) / 1000 / stepSeconds;
      expect(steps).toBeLessThanOrEqual(most[interval]);
    }
  });
});

describe('historyPath', () => {
  it('stays the same within a step, so that going back to a range asks nothing', () => {
    expect(historyPath('A', '24h', NOW)).toBe(historyPath('A', '24h', NOW + 10_000));
    expect(historyPath('A', '24h', NOW)).not.toBe(historyPath('A', '24h', NOW + 20_000));
    expect(historyPath('A', '30d', NOW)).toMatch(
      /^\/v1\/banks\/A\/history\?interval=1h&start=2026-10-23T06:00:00.000Z&format=columns&fields=deposit_apy_pct,/,
    );
  });
});
