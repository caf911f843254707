import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ROOT } from '@lending/testing';
import { describe, expect, it } from 'vitest';
import { useDemo } from '../src/cluster/demo.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';

/** The official SDK's and coder's results on the same bytes, as recorded beside the dumps. */
interface Recorded {
  readonly address: string;
  readonly decoded: {
    readonly mint_decimals: number;
    readonly config: {
      readonly asset_weight_init: Fixed;
      readonly asset_weight_maint: Fixed;
      readonly liability_weight_init: Fixed;
      readonly liability_weight_maint: Fixed;
      readonly deposit_limit: string;
      readonly borrow_limit: string;
    };
  };
  readonly math: {
    readonly totalAssetQuantity: string;
    readonly totalLiabilityQuantity: string;
    readonly utilizationRate: string;
    readonly baseInterestRate: string;
    readonly lendingRateApr: string;
    readonly borrowingRateApr: string;
  };
}
interface Fixed {
  readonly value: string;
}
interface Manifest {
  readonly clock: number;
  readonly accounts: readonly { readonly file: string; readonly at?: string }[];
}

const fixtures = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures');
const manifests = readdirSync(join(ROOT, 'lab/e2e/genesis')).filter((name) => name.endsWith('.json'));
const BANK_FILE = /\/bank-[^/]+\.json$/;
const PYTH_FILE = /pyth-receiver\//;
const SWITCHBOARD_FILE = /switchboard-on-demand\//;

describe.skipIf(!existsSync(fixtures)).each(manifests)('genesis %s (needs FIXTURES_DIR)', (name) => {
  const manifest = readJson<Manifest>(join(ROOT, 'lab/e2e/genesis', name));
  const bankFile = manifest.accounts.find(({ file }) => BANK_FILE.test(file))?.file ?? '';
  const recorded = readRecorded(bankFile);
  const settings = { LOCALNET_GENESIS: join('lab/e2e/genesis', name), FIXTURES_DIR: fixtures, POLL_P0_MS: '500' };
  let bank: ServedBank;
  useDemo(`genesis-${basename(name, '.json')}`, settings, async ({ url }) => {
    bank = await eventually(async () => {
      const { banks } = await getJson<{ banks: ServedBank[] }>(`${url}/v1/banks?response_format=detailed`);
      const [only] = banks;
      // Rates and prices come on topics of their own, and either may be there first.
      const isPriced = placedPrice(manifest) === null || only?.price_usd != null;
      if (banks.length !== 1 || only?.rates.utilization_pct == null || !isPriced)
        throw new Error(`not sampled yet: ${JSON.stringify(banks)}`);
      return only;
    });
  });

  it('[genesis-equals-recordings] has the recorded totals and utilisation', () => {
    const scale = 10 ** recorded.decoded.mint_decimals;
    expect(bank.address).toBe(recorded.address);
    expect(bank.size.deposits).toBeCloseTo(Math.floor(Number(recorded.math.totalAssetQuantity)) / scale, 6);
    expect(bank.size.borrows).toBeCloseTo(Math.floor(Number(recorded.math.totalLiabilityQuantity)) / scale, 6);
    expect(bank.rates.utilization_pct).toBeCloseTo(Number(recorded.math.utilizationRate) * 100, 9);
  });

  it('[genesis-equals-recordings] has the recorded rates, the program fee taken out', () => {
    expect(bank.rates.interest_deposit_apy_pct).toBeCloseTo(hourlyApyPct(Number(recorded.math.lendingRateApr)), 9);
    const withFee =
      Number(recorded.math.borrowingRateApr) + programFeeApr(manifest, Number(recorded.math.baseInterestRate));
    expect(bank.rates.interest_borrow_apy_pct).toBeCloseTo(hourlyApyPct(withFee), 9);
  });

  it('[genesis-equals-recordings] has the recorded limits and weights', () => {
    const { config, mint_decimals: decimals } = recorded.decoded;
    // 48 bits hold a configured weight to 14 decimals, and as that it is shown.
    expect(bank.weights).toEqual({
      asset_weight_init: expect.closeTo(Number(config.asset_weight_init.value), 13),
      asset_weight_maint: expect.closeTo(Number(config.asset_weight_maint.value), 13),
      liability_weight_init: expect.closeTo(Number(config.liability_weight_init.value), 13),
      liability_weight_maint: expect.closeTo(Number(config.liability_weight_maint.value), 13),
    });
    const usd = (base: string): number | null =>
      bank.price_usd === null ? null : (Number(base) / 10 ** decimals) * bank.price_usd;
    expectUsd(bank.size.deposit_limit_usd, usd(config.deposit_limit));
    expectUsd(bank.size.borrow_limit_usd, usd(config.borrow_limit));
  });

  it('[genesis-equals-recordings] has the price of the placed dump, or none on a retired feed', () => {
    expect(bank.price_usd).toBe(placedPrice(manifest));
  });
});

interface ServedBank {
  readonly address: string;
  readonly price_usd: number | null;
  readonly rates: Record<'interest_deposit_apy_pct' | 'interest_borrow_apy_pct' | 'utilization_pct', number | null>;
  readonly size: Record<'deposits' | 'borrows' | 'deposit_limit_usd' | 'borrow_limit_usd', number | null>;
  readonly weights: Record<string, number>;
}

function expectUsd(served: number | null, expected: number | null): void {
  if (expected === null) expect(served).toBeNull();
  else expect((served as number) / expected).toBeCloseTo(1, 12);
}

/** P0 compounds hourly over a Julian year: `(1 + apr / 8766) ^ 8766 − 1`. */
function hourlyApyPct(apr: number): number {
  return Math.expm1(8766 * Math.log1p(apr / 8766)) * 100;
}

/** What the group charges on top, which the recorded SDK values leave out. */
function programFeeApr(manifest: Manifest, baseApr: number): number {
  const file = manifest.accounts.find((account) => account.file.includes('/group-'))?.file ?? '';
  const { decoded } = readJson<{ decoded: GroupDecoded }>(join(fixtures, file.replace('.json', '.expected.json')));
  if ((BigInt(decoded.group_flags) & 1n) === 0n) return 0;
  return (
    baseApr * Number(decoded.fee_state_cache.program_fee_rate.value) +
    Number(decoded.fee_state_cache.program_fee_fixed.value)
  );
}
interface GroupDecoded {
  readonly group_flags: string;
  readonly fee_state_cache: { readonly program_fee_rate: Fixed; readonly program_fee_fixed: Fixed };
}

function placedPrice(manifest: Manifest): number | null {
  const pyth = manifest.accounts.find(({ file }) => PYTH_FILE.test(file));
  if (pyth !== undefined) {
    const { price, exponent } = expected<{ price: string; exponent: number }>(pyth.file, 'essentials');
    return Number(`${price}e${exponent}`);
  }
  const switchboard = manifest.accounts.find(({ file }) => SWITCHBOARD_FILE.test(file));
  if (switchboard === undefined) return null;
  return Number(expected<{ result: { value: Fixed } }>(switchboard.file, 'essentials').result.value.value);
}

function readRecorded(bankFile: string): Recorded {
  if (!existsSync(fixtures)) return {} as Recorded;
  const { address } = readJson<{ address: string }>(join(fixtures, bankFile));
  const math = readJson<Recorded['math']>(join(fixtures, bankFile.replace('.json', '.math.json')));
  return { address, decoded: expected(bankFile), math };
}

function expected<T>(file: string, part: 'decoded' | 'essentials' = 'decoded'): T {
  return readJson<Record<string, T>>(join(fixtures, file.replace('.json', '.expected.json')))[part] as T;
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}
