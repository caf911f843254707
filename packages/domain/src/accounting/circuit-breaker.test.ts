import { describe, expect, it } from 'vitest';
import { parseI80F48 } from '../i80f48.ts';
import { toShownUsd } from '../risk/ratio.ts';
import {
  type BreakerState,
  type BreakerTerms,
  isPriceJump,
  observePrice,
  priceRangeOf,
  skipHalts,
} from './circuit-breaker.ts';

const NOW = 1_790_000_000n;
const usd = (text: string) => parseI80F48(text);
const terms: BreakerTerms = {
  tiersBps: [500, 1_000, 2_000],
  tierSeconds: [600, 3_600, 86_400],
  escalationMultiple: 2,
  emaAlphaBps: 1_000,
  windowSeconds: 0,
  windowMaxUpBps: 0,
  windowMaxDownBps: 0,
};
/** A quiet bank whose references stand at 100 USD. */
const quiet: BreakerState = {
  ...{
    tier: 0,
    tier3Trips: 0,
    haltStartedAt: 0n,
    haltEndedAt: 0n,
    lastObservedSlot: 1_000n,
    lastSourceTime: NOW - 60n,
  },
  ...{ referencePrice: usd('100'), windowReferencePrice: usd('100'), windowStartedAt: NOW - 60n },
  frozenSecondsPending: 0n,
};
const moment = { unixTimestamp: NOW, slot: 1_010n, lastUpdate: NOW };
const priced = (price: string, confidence = '0') => ({
  price: usd(price),
  confidence: usd(confidence),
  sourceTime: NOW,
});
const observe = (
  price: string,
  { state = {}, at = {}, confidence }: { state?: Partial<BreakerState>; at?: object; confidence?: string } = {},
) => observePrice({ ...quiet, ...state }, terms, priced(price, confidence), { ...moment, ...at });

describe('observePrice', () => {
  /** The reference's golden examples 19 and 20. */
  it('trips the tier that a price deviates by beyond its interval', () => {
    const { state, events } = observe('112', { confidence: '0.5' });
    expect(events).toEqual([{ kind: 'tripped', tier: 2, deviationBps: 1_150n }]);
    expect(state).toMatchObject({ tier: 2, haltStartedAt: NOW, haltEndedAt: NOW + 3_600n });
    expect(state.referencePrice).toBe(quiet.referencePrice);
    const [edge] = observe('105.5', { confidence: '0.5' }).events;
    expect(edge).toEqual({ kind: 'tripped', tier: 1, deviationBps: 500n });
    expect(observe('105', { confidence: '0.5' }).events).toEqual([]);
  });

  it('follows a price that is near, by five per cent at most', () => {
    expect(observe('104').state.referencePrice).toBe(28_260_087_661_749_860n);
    const wild = { ...terms, tiersBps: [0, 0, 0] as const, emaAlphaBps: 2_000, windowMaxUpBps: 10_000 };
    expect(observePrice(quiet, wild, priced('140'), moment).state.referencePrice).toBe(usd('105'));
  });

  it('looks at nothing that comes too soon, was seen, or comes during a halt', () => {
    const state = { tier: 1, haltEndedAt: NOW + 1n };
    expect(observe('150', { state })).toEqual({ state: { ...quiet, ...state }, events: [] });
    expect(observe('150', { at: { slot: 1_001n } }).state).toEqual(quiet);
    expect(observe('150', { state: { lastSourceTime: NOW } }).events).toEqual([]);
  });

  it('takes a breach soon after a halt for its continuation, and one later for a first one', () => {
    const state = { tier: 1, haltStartedAt: NOW - 1_000n, haltEndedAt: NOW - 400n };
    expect(observe('106', { state }).events).toMatchObject([{ kind: 'tripped', tier: 2 }]);
    const later = observe('106', { state: { ...state, haltEndedAt: NOW - 1_200n } });
    expect(later.events).toMatchObject([
      { kind: 'cleared', priorTier: 1 },
      { kind: 'tripped', tier: 1 },
    ]);
  });

  it('is broken by the third halt of tier 3', () => {
    const state = { tier: 3, tier3Trips: 2, haltEndedAt: NOW - 1n };
    expect(observe('130', { state }).events).toMatchObject([{ kind: 'tripped', tier: 3 }, { kind: 'broken' }]);
  });

  it('trips by the long window what walks slowly, and lets its anchor follow once the window is over', () => {
    const slow = { referencePrice: usd('119') };
    const during = observe('120.5', { state: slow });
    expect(during.events).toEqual([{ kind: 'tripped', tier: 3, deviationBps: 2_050n }]);
    expect(during.state.windowReferencePrice).toBe(usd('100'));
    const after = observe('120.5', { state: { ...slow, windowStartedAt: NOW - 14_400n } });
    expect(after.state.windowReferencePrice).toBe((usd('100') * (usd('1') + usd('2000') / 10_000n)) >> 48n);
    expect(after.state.windowStartedAt).toBe(NOW);
  });

  it('begins with the first price that it sees', () => {
    const cold = { referencePrice: 0n, windowReferencePrice: 0n, windowStartedAt: 0n };
    expect(observe('42', { state: cold })).toMatchObject({
      state: {
        referencePrice: usd('42'),
        windowReferencePrice: usd('42'),
        windowStartedAt: NOW,
        lastObservedSlot: 1_010n,
      },
      events: [],
    });
  });

  it('keeps the seconds of a halt that the next one overwrites, until interest has left them out', () => {
    const state = { tier: 1, haltStartedAt: NOW - 1_000n, haltEndedAt: NOW - 400n, frozenSecondsPending: 5n };
    const { frozenSecondsPending } = observe('106', { state, at: { lastUpdate: NOW - 900n } }).state;
    expect(frozenSecondsPending).toBe(505n);
  });
});

describe('isPriceJump', () => {
  it.each([
    ['105', '0.5', false],
    ['105.5', '0.5', true],
    ['94.5', '0.5', true],
    ['60.5', '0', true],
  ])('says of %s ± %s whether it is too far', (price, confidence, isJump) => {
    expect(isPriceJump({ state: quiet, terms }, priced(price, confidence))).toBe(isJump);
  });

  const isJumpFrom = (state: Partial<BreakerState>, price: string) =>
    isPriceJump({ state: { ...quiet, ...state }, terms }, priced(price));

  it('knows a slow walk by the window alone, and nothing without a reference', () => {
    expect(isJumpFrom({ referencePrice: usd('120') }, '120')).toBe(true);
    expect(isJumpFrom({ referencePrice: 0n, windowReferencePrice: 0n }, '1')).toBe(false);
  });
});

describe('priceRangeOf', () => {
  const rangeOf = (state: Partial<BreakerState>) => {
    const range = priceRangeOf({ state: { ...quiet, ...state }, terms, preBreakState: 0 });
    return range === null
      ? null
      : [toShownUsd(range.low), toShownUsd(range.high)].map((edge) => Math.round(edge * 10) / 10);
  };

  it('gives what both references allow, and ends where the gate shuts', () => {
    expect(rangeOf({})).toEqual([95, 105]);
    const { low, high } = priceRangeOf({ state: quiet, terms, preBreakState: 0 }) ?? { low: 0n, high: 0n };
    const isJump = (price: bigint) => isPriceJump({ state: quiet, terms }, { price, confidence: 0n });
    expect([isJump(high - 1_000n), isJump(high + 1_000n)]).toEqual([false, true]);
    expect([isJump(low + 1_000n), isJump(low - 1_000n)]).toEqual([false, true]);
  });

  it('takes the window where it is the stricter, and what is left of the two', () => {
    expect(rangeOf({ referencePrice: usd('118') })).toEqual([112.1, 120]);
    expect(rangeOf({ referencePrice: 0n })).toEqual([60, 120]);
    expect(rangeOf({ referencePrice: 0n, windowReferencePrice: 0n })).toBeNull();
  });
});

describe('skipHalts', () => {
  it.each([
    ['a halt within the time', 100n, 200n, 0n, 300n, 100n],
    ['a halt that had begun before', 100n, 200n, 150n, 300n, 200n],
    ['a halt that goes on', 100n, 200n, 0n, 120n, 20n],
    ['a halt that was over before', 100n, 200n, 200n, 300n, 200n],
    ['no halt', 0n, 0n, 0n, 300n, 0n],
    ['no time', 100n, 200n, 150n, 150n, 150n],
  ])('leaves out %s', (_, haltStartedAt, haltEndedAt, lastUpdate, now, from) => {
    expect(skipHalts({ haltStartedAt, haltEndedAt, frozenSecondsPending: 0n }, lastUpdate, now)).toBe(from);
  });

  it('leaves out earlier halts too, and never more than the whole time', () => {
    const halts = { haltStartedAt: 100n, haltEndedAt: 200n };
    expect(skipHalts({ ...halts, frozenSecondsPending: 30n }, 0n, 300n)).toBe(130n);
    expect(skipHalts({ ...halts, frozenSecondsPending: 300n }, 0n, 300n)).toBe(300n);
  });
});
