import { BANK_FLAG, I80F48_ONE, type StrictRule } from '@lending/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type BankFields,
  bankAddress,
  charging,
  createMadeMarket,
  DEAR,
  deposit,
  feedAddress,
  type MadeMarket,
  mintAddress,
  NOW,
  TEN_PERCENT,
} from '#testing/made-market.ts';
import { loopOf, readMadePair, refusalOfBuild } from '#testing/made-pair.ts';
import { readMade } from '#testing/read-made.ts';
import { feedsToCrank } from './feeds-to-crank.ts';
import { findActionRefusal } from './find-action-refusal.ts';

const ONE = 1_000_000n;
const PAUSED = 0;
const SWITCHBOARD = 4;
const DOLLAR = 100_000_000n;
const borrowed = { kind: 'borrow', bank: bankAddress(1), amount: ONE } as const;
let market: MadeMarket;

/** Banks at a dollar, weights 0.75 and 1.25. */
beforeEach(async () => {
  market = createMadeMarket();
  for (const nth of [0, 1, 2]) market.setBank(nth);
  for (const nth of [0, 1]) await market.setTokens(mintAddress(nth), 1_000n * ONE);
});

/** What a borrow of one token from the second bank is refused with, where these rules are relaxed. */
async function refusalOf(...relaxed: readonly StrictRule[]) {
  const state = await readMade(market, 'borrow', 1, new Set(relaxed));
  return findActionRefusal(state, borrowed);
}

async function cranksOf(...relaxed: readonly StrictRule[]) {
  const state = await readMade(market, 'borrow', 1, new Set(relaxed));
  return feedsToCrank(state, borrowed).map(({ address }) => address);
}

describe('paused_collateral_zero_weight', () => {
  beforeEach(() => {
    market.setBank(0, { config: { operationalState: PAUSED } });
    market.setAccount([deposit(0, 100n * ONE)]);
  });

  it('keeps collateral of a Paused bank from backing a debt until it is relaxed', async () => {
    expect(await refusalOf()).toMatchObject({ code: 'ACTION__BORROW_EXCEEDED', context: { max_borrow: 0 } });
    expect(await refusalOf('paused_collateral_zero_weight')).toBeNull();
  });
});

describe('zero_max_age_is_zero', () => {
  beforeEach(() => {
    market.setBank(1, { config: { oracleMaxAge: 0 } });
    market.setPyth(1, DOLLAR, NOW - 50n);
    market.setAccount([deposit(0, 100n * ONE)]);
  });

  it('takes no price of an earlier second until it is relaxed, then one of the last 60', async () => {
    expect(await refusalOf()).toMatchObject({
      code: 'ORACLE__PRICE_STALE',
      context: { age_seconds: 50, max_age_seconds: 0 },
    });
    expect(await refusalOf('zero_max_age_is_zero')).toBeNull();
    market.setPyth(1, DOLLAR, NOW - 61n);
    expect(await refusalOf('zero_max_age_is_zero')).toMatchObject({
      context: { age_seconds: 61, max_age_seconds: 60 },
    });
  });
});

describe('stale_zero_weight_collateral', () => {
  const weightless: Readonly<Record<string, NonNullable<BankFields['config']>>> = {
    'without initial weight': { assetWeightInit: 0n },
    'of a bank that only lets out': { operationalState: 2 },
    'of a Paused bank': { operationalState: PAUSED },
  };

  beforeEach(() => {
    market.setPremiums([TEN_PERCENT]);
    market.setBank(1, charging);
    market.setAccount([deposit(0, 100n * ONE), deposit(2, ONE)]);
  });

  it.each(Object.entries(weightless))('asks for the price of collateral %s until it is relaxed', async (_, config) => {
    market.setBank(2, { premiumTag: DEAR, config });
    market.setPyth(2, DOLLAR, NOW - 90n);
    expect(await refusalOf()).toMatchObject({ context: { reason: 'PremiumSnapshotUnavailable' } });
    expect(await refusalOf('stale_zero_weight_collateral')).toBeNull();
  });

  it('cranks the feed of such collateral until it is relaxed', async () => {
    market.setBank(2, { premiumTag: DEAR, config: { oracleSetup: SWITCHBOARD, assetWeightInit: 0n } });
    market.setSwitchboard(2, DOLLAR, NOW - 1_000n);
    expect(await cranksOf()).toEqual([feedAddress(2)]);
    expect(await cranksOf('stale_zero_weight_collateral')).toEqual([]);
  });

  it('lets a loop end without that price once it is relaxed', async () => {
    market.setBank(2, { premiumTag: DEAR, config: { operationalState: 2 } });
    market.setPyth(2, DOLLAR, NOW - 90n);
    expect(await loopRefusalOf()).toMatchObject({ context: { reason: 'PremiumSnapshotUnavailable' } });
    expect(await loopRefusalOf('stale_zero_weight_collateral')).toBeNull();
  });
});

describe('end_flashloan_gate', () => {
  /** A bank whose circuit breaker is on, six cents above a dollar, where its first tier is five. */
  const jumped: readonly [BankFields, { readonly priceUsdE8: bigint }] = [
    {
      flags: BANK_FLAG.hasCircuitBreaker,
      cbReferencePrice: I80F48_ONE,
      cbWindowReferencePrice: I80F48_ONE,
      config: { cbDeviationBpsTiers: [500, 1_000, 2_000] },
    },
    { priceUsdE8: 106_000_000n },
  ];

  it('refuses a loop whose end alone meets a bank past its first tier until it is relaxed', async () => {
    market.setBank(0, ...jumped);
    market.setAccount([]);
    expect(await loopRefusalOf()).toMatchObject({
      context: { bank: bankAddress(0), limited_by: 'circuit_breaker' },
    });
    expect(await loopRefusalOf('end_flashloan_gate')).toBeNull();
  });

  it('refuses one whose borrow meets it, relaxed or not', async () => {
    market.setBank(2, ...jumped);
    market.setAccount([deposit(2, ONE)]);
    expect(await loopRefusalOf('end_flashloan_gate')).toMatchObject({
      context: { bank: bankAddress(2), limited_by: 'circuit_breaker' },
    });
  });
});

/** What a loop of the first bank on the second is refused with, where these rules are relaxed. */
async function loopRefusalOf(...relaxed: readonly StrictRule[]) {
  const state = await readMadePair(market, 0, 1, new Set(relaxed));
  return refusalOfBuild(state, loopOf(state, 10n * ONE, 150n), { slippageBps: 50 });
}
