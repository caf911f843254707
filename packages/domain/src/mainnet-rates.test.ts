import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type BankShares, totalAssetsOf, totalLiabilitiesOf } from './accrue-bank.ts';
import { formatI80F48, type I80F48, parseI80F48 } from './i80f48.ts';
import { computeInterestRates, computeUtilization } from './interest.ts';
import { createPointsCurve, type InterestCurve } from './interest-curve.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FIXTURES = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures');
const MISSING = !existsSync(FIXTURES);
const read = (path: string) => (MISSING ? {} : JSON.parse(readFileSync(resolve(FIXTURES, path), 'utf8')));
const banks: RecordedBank[] = read('mainnet/banks-decoded-2026-04-04.json').banks ?? [];
const rates: Record<string, RecordedRates> = read('mainnet/banks-decoded-2026-04-04.math.json').banks ?? {};

interface RecordedBank {
  readonly address: string;
  readonly tokenSymbol: string;
  readonly assetShareValue: string;
  readonly liabilityShareValue: string;
  readonly totalAssetShares: string;
  readonly totalLiabilityShares: string;
  readonly config: { readonly interestRateConfig: RecordedRateConfig };
}

interface RecordedRateConfig {
  readonly optimalUtilizationRate: string;
  readonly plateauInterestRate: string;
  readonly maxInterestRate: string;
  readonly insuranceFeeFixedApr: string;
  readonly insuranceIrFee: string;
  readonly protocolFixedFeeApr: string;
  readonly protocolIrFee: string;
  readonly zeroUtilRate: number;
  readonly hundredUtilRate: number;
  readonly points: readonly { readonly util: number; readonly rate: number }[];
  readonly curveType: number;
}

interface RecordedRates {
  readonly totalAssetQuantity: string;
  readonly totalLiabilityQuantity: string;
  readonly utilizationRate: string;
  readonly baseInterestRate: string;
  readonly lendingRateApr: string;
  readonly borrowingRateApr: string;
}

function sharesOf(bank: RecordedBank): BankShares {
  return {
    assetShareValue: parseI80F48(bank.assetShareValue),
    liabilityShareValue: parseI80F48(bank.liabilityShareValue),
    totalAssetShares: parseI80F48(bank.totalAssetShares),
    totalLiabilityShares: parseI80F48(bank.totalLiabilityShares),
    lastUpdate: 0n,
  };
}

function curveOf(config: RecordedRateConfig): InterestCurve {
  return config.curveType === 1
    ? createPointsCurve(config.zeroUtilRate, config.hundredUtilRate, config.points)
    : {
        kind: 'legacy',
        optimalUtilization: parseI80F48(config.optimalUtilizationRate),
        plateauApr: parseI80F48(config.plateauInterestRate),
        maxApr: parseI80F48(config.maxInterestRate),
      };
}

/** Within a billionth of what the SDK says, or sixteen units of 2^-48 where that is less than fixed point can hold. */
function expectNear(actual: I80F48 | undefined, recorded: string): void {
  const [have, want] = [Number(formatI80F48(actual ?? -1n)), Number(recorded)];
  expect(Math.abs(have - want), `${have} against ${recorded}`).toBeLessThanOrEqual(
    Math.max(Math.abs(want) * 1e-9, 16 / 2 ** 48),
  );
}

describe.skipIf(MISSING)('rates of mainnet banks against the official SDK (FIXTURES_DIR)', () => {
  it('finds the recording', () => {
    expect(banks).toHaveLength(122);
  });

  it.each(banks)('agrees on $tokenSymbol $address', (bank) => {
    const shares = sharesOf(bank);
    const [assets, liabilities] = [totalAssetsOf(shares), totalLiabilitiesOf(shares)];
    const recorded = rates[bank.address];
    if (recorded === undefined) throw new Error('no rates are recorded for this bank');
    expectNear(assets, recorded.totalAssetQuantity);
    expectNear(liabilities, recorded.totalLiabilityQuantity);
    const config = bank.config.interestRateConfig;
    const fees = {
      insurance: { rate: parseI80F48(config.insuranceIrFee), fixedApr: parseI80F48(config.insuranceFeeFixedApr) },
      group: { rate: parseI80F48(config.protocolIrFee), fixedApr: parseI80F48(config.protocolFixedFeeApr) },
      program: null,
    };
    const utilization = computeUtilization(assets, liabilities);
    const computed = computeInterestRates(curveOf(config), fees, utilization ?? -1n);
    expectNear(computed?.utilization, recorded.utilizationRate);
    expectNear(computed?.baseApr, recorded.baseInterestRate);
    expectNear(computed?.depositApr, recorded.lendingRateApr);
    expectNear(computed?.borrowApr, recorded.borrowingRateApr);
  });
});
