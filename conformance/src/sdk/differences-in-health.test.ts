import { computeRequirement, type Requirement } from '@lending/domain';
import { bankLayout } from '@lending/programs';
import { MarginRequirementType } from '@mrgnlabs/marginfi-client-v2';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { balancesOf } from './judged-market.ts';
import type { PythPrice } from './made-accounts.ts';
import { sdkBank, sdkBankRaw } from './official-sdk.ts';
import { fixed, type OneAccount, oneAccount, plainBank, shown } from './plain-market.ts';

const THEIR_NAME = {
  initial: MarginRequirementType.Initial,
  maintenance: MarginRequirementType.Maintenance,
  equity: MarginRequirementType.Equity,
} as const;

/** 1 USD now, 0.96 on average, an interval of 2.12 × 0.01 USD around either. */
const MOVING: PythPrice = {
  price: 100_000_000n,
  conf: 1_000_000n,
  emaPrice: 96_000_000n,
  emaConf: 1_000_000n,
  exponent: -8,
};
const ENTRY = { assetWeightInit: fixed('0.875'), assetWeightMaint: fixed('0.9375') };
const SOL = 501;
const LST = 1571;
/** PT tokens on SOL, on mainnet since 2026: the SDK has no name for it. */
const PT = 15_787;

/** USD that count as assets and liabilities: ours and the SDK's. */
function bothTotals({ account, market, theirs }: OneAccount, requirement: Requirement) {
  const ours = computeRequirement(balancesOf(account, market), requirement);
  if (ours.kind !== 'valued') throw new Error(`refused: ${ours.error}`);
  const sdk = theirs.account.computeHealthComponents(THEIR_NAME[requirement]);
  return {
    ours: { assets: shown(ours.assets).toNumber(), liabilities: shown(ours.liabilities).toNumber() },
    sdk: { assets: sdk.assets.toNumber(), liabilities: sdk.liabilities.toNumber() },
  };
}

describe('health the official SDK is known to judge otherwise', () => {
  beforeAll(() => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  it('agrees on plain banks, so that each case below differs by one thing', async () => {
    const plain = await oneAccount([plainBank('one'), plainBank('two')], ['100', '-10']);
    for (const requirement of ['initial', 'maintenance', 'equity'] as const) {
      const { ours, sdk } = bothTotals(plain, requirement);
      expect(ours).toEqual(sdk);
    }
    expect(bothTotals(plain, 'initial').ours).toEqual({ assets: 100, liabilities: 30 });
  });

  it('takes equity at the low and high EMA where the SDK takes the spot price', async () => {
    const one = await oneAccount([plainBank('lent', {}, MOVING), plainBank('owed', {}, MOVING)], ['100', '-10']);
    const { ours, sdk } = bothTotals(one, 'equity');
    expect(sdk).toEqual({ assets: 100, liabilities: 10 });
    expect(ours.assets).toBeCloseTo(100 * (0.96 - 0.0212), 10);
    expect(ours.liabilities).toBeCloseTo(10 * (0.96 + 0.0212), 10);
  });

  it('measures the soft limit of a bank at the EMA where the SDK takes the spot price', async () => {
    const config = { totalAssetValueInitLimit: 469_400n };
    const { ours, sdk } = bothTotals(await oneAccount([plainBank('soft', { config }, MOVING)], ['100']), 'initial');
    // A million tokens are twice the limit at the low EMA of 0.9388; at the low spot price of 0.9788 they are a little more.
    expect(ours.assets).toBeCloseTo(100 * 0.9388 * 0.25, 10);
    expect(sdk.assets).toBeCloseTo((100 * 0.9388 * 0.25 * 0.9388) / 0.9788, 10);
  });

  it.each([
    ['a reduce-only', 2],
    ['a paused', 0],
  ])('counts collateral of %s bank as nothing initially, where the SDK counts it', async (_, operationalState) => {
    const bank = plainBank('retiring', { config: { operationalState } });
    const one = await oneAccount([bank], ['100']);
    expect([bothTotals(one, 'initial').ours.assets, bothTotals(one, 'initial').sdk.assets]).toEqual([0, 100]);
    expect(bothTotals(one, 'maintenance').ours).toEqual(bothTotals(one, 'maintenance').sdk);
  });

  it('counts isolated collateral as nothing, where the SDK counts whatever weight it has', async () => {
    const one = await oneAccount([plainBank('isolated', { config: { riskTier: 1 } })], ['100']);
    expect([bothTotals(one, 'initial').ours.assets, bothTotals(one, 'initial').sdk.assets]).toEqual([0, 100]);
    expect([bothTotals(one, 'maintenance').ours.assets, bothTotals(one, 'maintenance').sdk.assets]).toEqual([0, 150]);
  });

  it('counts less than a share as nothing, where the SDK counts it', async () => {
    const { ours, sdk } = bothTotals(
      await oneAccount([plainBank('dust'), plainBank('more')], ['0.75', '-0.5']),
      'equity',
    );
    expect([ours, sdk]).toEqual([
      { assets: 0, liabilities: 0 },
      { assets: 1.5, liabilities: 1 },
    ]);
  });

  it('counts Drift balances in nine decimals, where the SDK takes those of the mint', async () => {
    const config = { assetTag: 4, oracleSetup: 8 };
    const { ours, sdk } = bothTotals(
      await oneAccount([plainBank('drift', { mintDecimals: 6, config })], ['1000000000']),
      'equity',
    );
    expect([ours.assets, sdk.assets]).toEqual([2, 2000]);
  });

  it('favours collateral of a tag the SDK does not know', async () => {
    const debt = plainBank('owed', { emode: { tag: SOL, entries: [{ collateralBankEmodeTag: PT, ...ENTRY }] } });
    const collateral = plainBank('held', { emode: { tag: PT, entries: [] } });
    const { ours, sdk } = bothTotals(await oneAccount([collateral, debt], ['100', '-10']), 'initial');
    expect([ours.assets, sdk.assets]).toEqual([175, 100]);
  });

  it('favours collateral for a debt without a tag of its own, where the SDK wants one', async () => {
    const debt = plainBank('owed', { emode: { tag: 0, entries: [{ collateralBankEmodeTag: LST, ...ENTRY }] } });
    const collateral = plainBank('held', { emode: { tag: LST, entries: [] } });
    const { ours, sdk } = bothTotals(await oneAccount([collateral, debt], ['100', '-10']), 'initial');
    expect([ours.assets, sdk.assets]).toEqual([175, 100]);
  });

  it('asks every debt for a favour, where one debt speaks for all of its tag to the SDK', async () => {
    const generous = plainBank('generous', {
      emode: { tag: SOL, entries: [{ collateralBankEmodeTag: LST, ...ENTRY }] },
    });
    const other = { collateralBankEmodeTag: 619, ...ENTRY };
    const stingy = plainBank('stingy', { emode: { tag: SOL, entries: [other] } });
    const collateral = plainBank('held', { emode: { tag: LST, entries: [] } });
    const { ours, sdk } = bothTotals(
      await oneAccount([collateral, generous, stingy], ['100', '-10', '-10']),
      'initial',
    );
    expect([ours.assets, sdk.assets]).toEqual([100, 175]);
  });

  it('leaves a bank as it is, where the SDK keeps the raised weights in the bank it was given', async () => {
    const debt = plainBank('owed', { emode: { tag: SOL, entries: [{ collateralBankEmodeTag: LST, ...ENTRY }] } });
    const collateral = plainBank('held', { emode: { tag: LST, entries: [] } });
    const { theirs, bankAt } = await oneAccount([collateral, debt], ['100', '-10']);
    expect(shown(bankAt(0).bank.weights.assetInit).toNumber()).toBe(0.5);
    expect(theirs.banks.get(collateral.account.address)?.config.assetWeightInit.toNumber()).toBe(0.875);
  });

  it('reads states, setups and tags that the SDK cannot', () => {
    for (const config of [{ operationalState: 3 }, { operationalState: 5 }, { oracleSetup: 15 }]) {
      const { account } = plainBank('newer', { config });
      expect(bankLayout.decode(account.data).config).toMatchObject(config);
      expect(() => sdkBank(account)).toThrowError();
    }
  });

  it('reads a negative number to the last unit, where the SDK is one short', () => {
    const { account } = plainBank('negative', { collectedGroupFeesOutstanding: -1n });
    expect(bankLayout.decode(account.data).collectedGroupFeesOutstanding).toBe(-1n);
    expect(sdkBank(account).collectedGroupFeesOutstanding.toNumber()).toBe(0);
    expect(sdkBankRaw(account.data).collectedGroupFeesOutstanding.value).toEqual(Array(16).fill(255));
  });
});
