import { createModelEngine } from '@lending/localnet';
import {
  KLEND_ERRORS,
  type KlendReserve,
  NO_KEY,
  type PriceUpdateV2,
  type PullFeed,
  priceUpdateV2Layout,
  pullFeedLayout,
} from '@lending/programs';
import { beforeEach, describe, expect, it } from 'vitest';
import { Chain } from '../real-program/chain.ts';
import { poolOf, refresh, SF, START, setMarket, setReserve } from './kamino.ts';
import { poolAccounts } from './solend.ts';
import { type Fields, runStep, SLOTS_PER_SECOND, START_TIME, type Step, set, time } from './venue.ts';

/** Feeds of the demo market, which Save's reserves read too. */
const { pythOracle: PYTH } = poolAccounts('usd');
const { switchboardOracle: SWITCHBOARD } = poolAccounts('sol');
const E18 = 10n ** 18n;
const ALL_CHECKS = 63;
/** What a price can fail in, as `priceStatus` counts it. */
const FAILS = { young: 2, nearAverage: 4, averageYoung: 8, withinHeuristic: 16, usageAllowed: 32 } as const;

type Terms = Fields<KlendReserve['config']['tokenInfo']>;
const setTerms = (tokenInfo: Terms): Step => setReserve('usd', { config: { tokenInfo } });
const setPyth = (priceMessage: Fields<PriceUpdateV2['priceMessage']>): Step =>
  set(PYTH, priceUpdateV2Layout, { priceMessage });
const setSwitchboard = (result: Fields<PullFeed['result']>): Step => set(SWITCHBOARD, pullFeedLayout, { result });

/** The public klend reads feeds that are no longer published, so these prices are held to klend's source alone. */
describe('the price a refresh of the model takes', () => {
  const chain = new Chain(createModelEngine(), START);

  function refreshAfter(...steps: readonly Step[]): number | string | null {
    for (const step of steps) expect(runStep(chain, step).error, step.text).toBeNull();
    return runStep(chain, refresh('usd')).error?.reason ?? null;
  }

  function taken() {
    const { liquidity, lastUpdate } = poolOf(chain, 'usd');
    const { marketPriceSf, marketPriceLastUpdatedTs } = liquidity;
    return { priceSf: marketPriceSf, at: marketPriceLastUpdatedTs, checks: lastUpdate.priceStatus };
  }

  const fromSwitchboard = setTerms({
    pythConfiguration: { price: NO_KEY },
    switchboardConfiguration: { priceAggregator: SWITCHBOARD },
    maxTwapDivergenceBps: 0n,
  });

  beforeEach(() => {
    chain.reset(START);
    const published = { price: 99_990_000n, conf: 50_000n, exponent: -8, publishTime: START_TIME - 5n };
    const heuristic = { lower: 0n, upper: 0n, exp: 0n };
    refreshAfter(
      setMarket({ priceRefreshTriggerToMaxAgePct: 0 }),
      setTerms({ maxAgePriceSeconds: 60n, maxTwapDivergenceBps: 300n, maxAgeTwapSeconds: 120n, heuristic }),
      setTerms({ pythConfiguration: { price: PYTH } }),
      setPyth({ ...published, emaPrice: 99_980_000n, emaConf: 50_000n }),
      setSwitchboard({ value: 113n * E18, stdDev: E18 / 100n, slot: START_TIME * SLOTS_PER_SECOND - 20n }),
    );
  });

  it.each([
    ['sure of itself', {}, {}, 0],
    ['too old', { publishTime: START_TIME - 61n }, {}, FAILS.young],
    ['old to the second', { publishTime: START_TIME - 60n }, {}, 0],
    ['too old for its average, too', { publishTime: START_TIME - 121n }, {}, FAILS.young + FAILS.averageYoung],
    ['far from its average', { emaPrice: 103_000_000n }, {}, FAILS.nearAverage],
    ['near enough to its average', { emaPrice: 102_989_000n }, {}, 0],
    ['far from an average that is not wanted', { emaPrice: 1n, emaConf: 0n }, { maxTwapDivergenceBps: 0n }, 0],
    ['below what is believed', {}, { heuristic: { lower: 100n, upper: 0n, exp: 2n } }, FAILS.withinHeuristic],
    ['above what is believed', {}, { heuristic: { lower: 0n, upper: 99n, exp: 2n } }, FAILS.withinHeuristic],
    ['within what is believed', {}, { heuristic: { lower: 99n, upper: 100n, exp: 2n } }, 0],
    ['not to be used', {}, { blockPriceUsage: 1 }, FAILS.usageAllowed],
    ['two per cent in doubt', { conf: 1_999_800n }, {}, 0],
  ])('is Pyth’s where that is %s, with the checks it passed', (_what, message, terms: Terms, failed) => {
    const { publishTime: at = START_TIME - 5n } = message as { readonly publishTime?: bigint };
    expect(refreshAfter(setPyth(message), setTerms(terms))).toBeNull();
    expect(taken()).toEqual({ priceSf: (99_990_000n * SF) / 10n ** 8n, at, checks: ALL_CHECKS - failed });
  });

  const { PriceNotValid, InvalidOracleConfig, InvalidTwapConfig } = KLEND_ERRORS;
  it.each<readonly [string, Step, number | string]>([
    ['Pyth’s price is in doubt', setPyth({ conf: 1_999_801n }), PriceNotValid],
    ['Pyth’s average is in doubt', setPyth({ emaConf: 1_999_801n }), PriceNotValid],
    ['Pyth’s price is zero', setPyth({ price: 0n }), PriceNotValid],
    ['Pyth’s price is negative', setPyth({ price: -1n }), 'ProgramFailedToComplete'],
    ['Pyth’s price was made before time began', setPyth({ publishTime: -1n }), 'ProgramFailedToComplete'],
    ['Pyth’s price has more decimals than klend knows', setPyth({ exponent: -37 }), 'ProgramFailedToComplete'],
    [
      'Pyth’s account is not fully verified',
      set(PYTH, priceUpdateV2Layout, { verificationLevel: { __kind: 'Partial', numSignatures: 5 } }),
      PriceNotValid,
    ],
    [
      'Pyth’s account is none',
      { text: 'another account', change: (held) => held.setData(PYTH, held.data(PYTH).slice().fill(0, 0, 8)) },
      PriceNotValid,
    ],
    ['no feed is named', setTerms({ pythConfiguration: { price: NO_KEY } }), InvalidOracleConfig],
    ['an average has no age', setTerms({ maxAgeTwapSeconds: 0n }), InvalidTwapConfig],
    [
      'an average of Switchboard’s is wanted',
      setTerms({ switchboardConfiguration: { priceAggregator: SWITCHBOARD } }),
      InvalidTwapConfig,
    ],
  ])('is none where %s', (_what, step, error) => {
    expect(refreshAfter(step)).toBe(error);
  });

  it('is Switchboard’s, as old as its slot at 400 ms each', () => {
    expect(refreshAfter(fromSwitchboard)).toBeNull();
    // Twenty slots are ten seconds on this chain, and eight to klend.
    expect(taken()).toEqual({ priceSf: 113n * SF, at: START_TIME - 8n, checks: ALL_CHECKS });
  });

  it('stays the old one where Switchboard’s is in doubt', () => {
    const before = taken();
    expect(refreshAfter(fromSwitchboard, setSwitchboard({ stdDev: (113n * E18) / 50n }))).toBeNull();
    expect(taken()).toEqual(before);
  });

  it.each([
    ['has no result', { slot: 0n }],
    ['says nothing', { value: 0n }],
    ['says less than nothing', { value: -1n }],
    ['doubts less than nothing', { stdDev: -1n }],
  ])('is none where Switchboard’s feed %s', (_what, result) => {
    expect(refreshAfter(fromSwitchboard, setSwitchboard(result))).toBe(PriceNotValid);
  });

  it('is the newest of both feeds', () => {
    const both = setTerms({ switchboardConfiguration: { priceAggregator: SWITCHBOARD }, maxTwapDivergenceBps: 0n });
    expect(refreshAfter(both)).toBeNull();
    expect(taken().at).toBe(START_TIME - 5n);
    expect(refreshAfter(setPyth({ publishTime: START_TIME - 9n }))).toBeNull();
    expect(taken().at).toBe(START_TIME - 8n);
  });

  it('is let be while it is young, where the market says so', () => {
    expect(
      refreshAfter(setMarket({ priceRefreshTriggerToMaxAgePct: 50 }), setPyth({ publishTime: START_TIME })),
    ).toBeNull();
    expect(taken().at).toBe(START_TIME - 5n);
    expect(refreshAfter(time(30n), setPyth({ publishTime: START_TIME + 30n }))).toBeNull();
    expect(taken().at).toBe(START_TIME + 30n);
  });
});
