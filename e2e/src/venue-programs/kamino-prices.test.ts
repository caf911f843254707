import { type AccountState, createModelEngine } from '@lending/localnet';
import {
  type ArgsOf,
  KLEND_ERRORS,
  type KlendReserve,
  NO_KEY,
  PYTH_RECEIVER_PROGRAM,
  priceUpdateV2Layout,
  pullFeedLayout,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  type ValueOf,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { labelled } from '../real-program/addresses.ts';
import { Chain, rentExempt } from '../real-program/chain.ts';
import { runStep, type StepResult } from './kamino-steps.ts';
import { CODECS, MARKET, poolOf, START_TIME, worldAccounts } from './kamino-world.ts';

const PYTH = labelled('kamino pyth');
const SWITCHBOARD = labelled('kamino switchboard');
const AVERAGE = labelled('kamino switchboard average');
const SF = 1n << 60n;
const E18 = 10n ** 18n;
const ALL_CHECKS = 63;
/** What a price can fail in, as `priceStatus` counts it. */
const FAILS = { young: 2, nearAverage: 4, averageYoung: 8, withinHeuristic: 16, usageAllowed: 32 } as const;

/** The ELF at hand reads feeds that nobody publishes any more, so these prices are held to klend's source alone. */
describe('the price a refresh takes', () => {
  const chain = new Chain(createModelEngine(), { accounts: worldAccounts(), unixTimestamp: START_TIME });
  const start = chain.state;
  const reserve = () => CODECS.reserve.decode(chain.data(poolOf('usd').reserve));

  function setTerms(fields: Partial<KlendReserve['config']['tokenInfo']>): void {
    const state = reserve();
    const tokenInfo = { ...state.config.tokenInfo, ...fields };
    const bytes = CODECS.reserve.encode({ ...state, config: { ...state.config, tokenInfo } });
    chain.setData(poolOf('usd').reserve, Uint8Array.from(bytes));
  }

  function refresh(): StepResult['error'] {
    return runStep(chain, { kind: 'send', ops: [{ op: 'refresh', reserve: 'usd' }] }).error;
  }

  function taken() {
    const { liquidity, lastUpdate } = reserve();
    const { marketPriceSf, marketPriceLastUpdatedTs } = liquidity;
    return { priceSf: marketPriceSf, at: marketPriceLastUpdatedTs, checks: lastUpdate.priceStatus };
  }

  const pyth = { priceAggregator: NO_KEY, twapAggregator: NO_KEY };
  beforeEach(() => {
    chain.reset(start);
    const market = CODECS.market.decode(chain.data(MARKET));
    const wanted = CODECS.market.encode({ ...market, priceRefreshTriggerToMaxAgePct: 0 });
    chain.setData(MARKET, Uint8Array.from(wanted));
    setTerms({
      maxAgePriceSeconds: 60n,
      maxTwapDivergenceBps: 300n,
      maxAgeTwapSeconds: 120n,
      pythConfiguration: { price: PYTH },
      switchboardConfiguration: pyth,
    });
    chain.setAccount(PYTH, pythAccount({}));
  });

  it('is Pyth’s, with all checks passed', () => {
    expect(refresh()).toBeNull();
    expect(taken()).toEqual({ priceSf: (99_990_000n * SF) / 10n ** 8n, at: START_TIME - 5n, checks: ALL_CHECKS });
  });

  it.each([
    ['too old', { publishTime: START_TIME - 61n }, {}, FAILS.young],
    ['old to the second', { publishTime: START_TIME - 60n }, {}, 0],
    ['too old for its average, too', { publishTime: START_TIME - 121n }, {}, FAILS.young + FAILS.averageYoung],
    ['far from its average', { emaPrice: 103_000_000n }, {}, FAILS.nearAverage],
    ['near enough to its average', { emaPrice: 102_989_000n }, {}, 0],
    ['far from an average nobody asks for', { emaPrice: 1n, emaConf: 0n }, { maxTwapDivergenceBps: 0n }, 0],
    ['below what is believed', {}, { heuristic: { lower: 100n, upper: 0n, exp: 2n } }, FAILS.withinHeuristic],
    ['above what is believed', {}, { heuristic: { lower: 0n, upper: 99n, exp: 2n } }, FAILS.withinHeuristic],
    ['within what is believed', {}, { heuristic: { lower: 99n, upper: 100n, exp: 2n } }, 0],
    ['not to be used', {}, { blockPriceUsage: 1 }, FAILS.usageAllowed],
  ])('is taken though %s, and says so', (_what, message, terms, failed) => {
    chain.setAccount(PYTH, pythAccount(message));
    setTerms(terms);
    expect(refresh()).toBeNull();
    expect(taken().checks).toBe(ALL_CHECKS - failed);
    expect(taken().priceSf).toBe((99_990_000n * SF) / 10n ** 8n);
  });

  it.each([
    ['in doubt', { conf: 1_999_801n }],
    ['of an average in doubt', { emaConf: 1_999_801n }],
    ['zero', { price: 0n }],
  ])('is none where Pyth’s is %s', (_what, message) => {
    chain.setAccount(PYTH, pythAccount(message));
    expect(refresh()).toEqual({ at: 0, reason: KLEND_ERRORS.PriceNotValid });
  });

  it('is Pyth’s up to two per cent of doubt', () => {
    chain.setAccount(PYTH, pythAccount({ conf: 1_999_800n }));
    expect(refresh()).toBeNull();
  });

  it.each([
    ['negative', { price: -1n }],
    ['made before time began', { publishTime: -1n }],
    ['of more decimals than klend knows', { exponent: -37 }],
  ])('stops the program where Pyth’s is %s', (_what, message) => {
    chain.setAccount(PYTH, pythAccount(message));
    expect(refresh()).toEqual({ at: 0, reason: 'ProgramFailedToComplete' });
  });

  it('is none where Pyth’s account is not one, or not fully verified', () => {
    const state = pythAccount({});
    chain.setAccount(PYTH, { ...state, data: state.data.slice().fill(0, 0, 8) });
    expect(refresh()?.reason).toBe(KLEND_ERRORS.PriceNotValid);
    chain.setAccount(PYTH, pythAccount({}, { __kind: 'Partial', numSignatures: 5 }));
    expect(refresh()?.reason).toBe(KLEND_ERRORS.PriceNotValid);
  });

  describe('from Switchboard', () => {
    beforeEach(() => {
      const switchboardConfiguration = { priceAggregator: SWITCHBOARD, twapAggregator: NO_KEY };
      setTerms({ pythConfiguration: { price: NO_KEY }, switchboardConfiguration, maxTwapDivergenceBps: 0n });
      chain.setAccount(SWITCHBOARD, switchboardAccount({}));
    });

    it('is as old as its slot, at 400 ms each', () => {
      expect(refresh()).toBeNull();
      // Twenty slots are ten seconds on this chain, and eight to klend.
      expect(taken()).toEqual({ priceSf: 113n * SF, at: START_TIME - 8n, checks: ALL_CHECKS });
    });

    it('leaves the old price where the new one is in doubt', () => {
      const before = taken();
      chain.setAccount(SWITCHBOARD, switchboardAccount({ stdDev: (113n * E18) / 50n }));
      expect(refresh()).toBeNull();
      expect(taken()).toEqual(before);
    });

    it.each([
      ['has no result', { slot: 0n }],
      ['says nothing', { value: 0n }],
      ['says less than nothing', { value: -1n }],
      ['doubts less than nothing', { stdDev: -1n }],
    ])('is none where the feed %s', (_what, result) => {
      chain.setAccount(SWITCHBOARD, switchboardAccount(result));
      expect(refresh()?.reason).toBe(KLEND_ERRORS.PriceNotValid);
    });

    it('is none where the account is another program’s', () => {
      chain.setAccount(SWITCHBOARD, { ...switchboardAccount({}), owner: PYTH_RECEIVER_PROGRAM });
      expect(refresh()?.reason).toBe(KLEND_ERRORS.PriceNotValid);
    });

    it('is held to the feed of its average', () => {
      const switchboardConfiguration = { priceAggregator: SWITCHBOARD, twapAggregator: AVERAGE };
      setTerms({ switchboardConfiguration, maxTwapDivergenceBps: 300n });
      chain.setAccount(AVERAGE, switchboardAccount({ value: 120n * E18, slot: START_TIME * 2n - 900n }));
      expect(refresh()).toBeNull();
      expect(taken().checks).toBe(ALL_CHECKS - FAILS.nearAverage - FAILS.averageYoung);
    });

    it('is the newest of all feeds', () => {
      setTerms({ pythConfiguration: { price: PYTH } });
      expect(refresh()).toBeNull();
      expect(taken().at).toBe(START_TIME - 5n);
      chain.setAccount(PYTH, pythAccount({ publishTime: START_TIME - 9n }));
      expect(refresh()).toBeNull();
      expect(taken().at).toBe(START_TIME - 8n);
    });
  });

  it.each([
    ['a feed it does not name', { pythConfiguration: { price: NO_KEY } }, 'InvalidOracleConfig'],
    ['an average without an age', { maxAgeTwapSeconds: 0n }, 'InvalidTwapConfig'],
    [
      'Switchboard without its average',
      { switchboardConfiguration: { priceAggregator: SWITCHBOARD, twapAggregator: NO_KEY } },
      'InvalidTwapConfig',
    ],
    [
      'Scope without a chain',
      { scopeConfiguration: { priceFeed: AVERAGE, priceChain: [0, 0, 0, 0], twapChain: [1, 0, 0, 0] } },
      'InvalidOracleConfig',
    ],
  ] as const)('refuses %s', (_what, terms, error) => {
    setTerms(terms as Parameters<typeof setTerms>[0]);
    expect(refresh()?.reason).toBe(KLEND_ERRORS[error]);
  });

  it('is let be while it is young, where the market says so', () => {
    const market = CODECS.market.decode(chain.data(MARKET));
    chain.setData(MARKET, Uint8Array.from(CODECS.market.encode({ ...market, priceRefreshTriggerToMaxAgePct: 50 })));
    const { at } = taken();
    expect(at).toBe(START_TIME - 10n);
    expect(refresh()).toBeNull();
    expect(taken().at).toBe(at);
    chain.passTime(20n);
    chain.setAccount(PYTH, pythAccount({ publishTime: START_TIME + 20n }));
    expect(refresh()).toBeNull();
    expect(taken().at).toBe(START_TIME + 20n);
  });
});

type Message = ArgsOf<typeof priceUpdateV2Layout>;

function pythAccount(
  message: Partial<Message['priceMessage']>,
  verificationLevel: Message['verificationLevel'] = { __kind: 'Full' },
): AccountState {
  const data = priceUpdateV2Layout.encode({
    writeAuthority: PYTH,
    verificationLevel,
    priceMessage: {
      feedId: new Uint8Array(32).fill(1),
      price: 99_990_000n,
      conf: 50_000n,
      exponent: -8,
      publishTime: START_TIME - 5n,
      prevPublishTime: START_TIME - 6n,
      emaPrice: 99_980_000n,
      emaConf: 50_000n,
      ...message,
    },
    postedSlot: START_TIME * 2n,
  });
  return held(PYTH_RECEIVER_PROGRAM, data);
}

type Result = ValueOf<typeof pullFeedLayout>['result'];

function switchboardAccount(result: Partial<Result>): AccountState {
  const codec = pullFeedLayout;
  const zeros = new Uint8Array(pullFeedLayout.fixedSize);
  zeros.set(pullFeedLayout.discriminator);
  const empty = codec.decode(zeros);
  const sure = { value: 113n * E18, stdDev: E18 / 100n, slot: START_TIME * 2n - 20n };
  return held(
    SWITCHBOARD_ON_DEMAND_PROGRAM,
    codec.encode({ ...empty, result: { ...empty.result, ...sure, ...result } }),
  );
}

function held(owner: Address, data: ArrayLike<number>): AccountState {
  return { lamports: rentExempt(data.length), owner, data: Uint8Array.from(data), executable: false };
}
