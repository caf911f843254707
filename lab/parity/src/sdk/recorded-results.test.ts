import {
  computeInterestRates,
  computeUtilization,
  createPointsCurve,
  type InterestCurve,
  type InterestFees,
  parseI80F48,
  totalAssetsOf,
  totalLiabilitiesOf,
} from '@lending/domain';
import { isLendingError } from '@lending/errors';
import { MARGINFI_PROGRAM, SWITCHBOARD_ON_DEMAND_PROGRAM } from '@lending/programs';
import {
  decodeBank,
  decodeBankMetadata,
  decodeFeeState,
  decodeGroup,
  decodeMarginfiAccount,
  loadOracle,
  type P0Bank,
  toRiskPrice,
} from '@lending/venues';
import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { fromText, priceBound, type RatesBound, ratesBound } from './bounds.ts';
import { expectSameBank, expectWithin } from './expectations.ts';
import { plainBank } from './judged-market.ts';
import { sdkBank, sdkPrice } from './official-sdk.ts';
import { openRecordings, type RecordedRates } from './recordings.ts';

const { isMissing, accounts, json } = openRecordings();
const isBank = (name: string) => /^marginfi.*\/bank-/.test(name);
const banks = accounts.filter(({ name }) => isBank(name));
const inFolder = (folder: string) => accounts.filter(({ name }) => name.startsWith(`${folder}/`));

type RatedBank = Pick<P0Bank, 'shares' | 'curve' | 'fees'>;

describe.skipIf(isMissing)('real accounts against the official SDK (FIXTURES_DIR)', () => {
  it.each(banks)('reads $name as the SDK does', ({ account }) => {
    expectSameBank(decodeBank(account, account.owner), sdkBank(account));
  });

  it.each(banks)('gives $name the recorded totals and rates to the last unit both keep', ({ account, rates }) => {
    const bank = decodeBank(account, account.owner);
    if (rates === null) throw new Error('nothing is recorded beside this bank');
    expectRecorded(bank, rates, ratesBound(bank));
  });

  it.each(inFolder('pyth-receiver'))('reads $name as the SDK does', ({ account }) => {
    expectSamePrice(3, account);
  });

  it.each(inFolder('switchboard-on-demand').filter(({ name }) => !name.includes('never-updated')))(
    'reads the median of $name as the SDK does',
    ({ account }) => {
      expectSamePrice(4, { ...account, owner: SWITCHBOARD_ON_DEMAND_PROGRAM });
    },
  );
});

describe.skipIf(isMissing)('banks of the mainnet list against the official SDK (FIXTURES_DIR)', () => {
  const recorded: Record<string, RecordedRates> = isMissing
    ? {}
    : json('mainnet/banks-decoded-2026-04-04.math.json').banks;
  const list: ListedBank[] = isMissing ? [] : json('mainnet/banks-decoded-2026-04-04.json').banks;

  it.each(list)('gives $tokenSymbol $address the recorded totals and rates', (listed) => {
    const rates = recorded[listed.address];
    if (rates === undefined) throw new Error('nothing is recorded for this bank');
    const bank = fromList(listed);
    expectRecorded(bank, rates, ratesBound(bank, fromText));
  });
});

describe.skipIf(isMissing)('accounts of other kinds (FIXTURES_DIR)', () => {
  const decoders = [
    { kind: 'bank', decode: decodeBank, reads: isBank },
    { kind: 'account', decode: decodeMarginfiAccount, reads: (name: string) => /^marginfi.*\/account-/.test(name) },
    { kind: 'group', decode: decodeGroup, reads: (name: string) => /^marginfi.*\/group-/.test(name) },
    { kind: 'fee state', decode: decodeFeeState, reads: (name: string) => /^marginfi.*\/feestate/.test(name) },
    { kind: 'bank metadata', decode: decodeBankMetadata, reads: () => false },
  ];

  it.each(decoders)('refuses by name all that are no $kind', ({ decode, reads }) => {
    const outcomes = accounts.map(({ name, account }) => ({
      name,
      isRead: reads(name),
      outcome: outcomeOf(() => decode(account, account.owner)),
    }));
    for (const { name, isRead, outcome } of outcomes) {
      const expected = isRead ? 'decoded' : 'DECODE__DISCRIMINATOR_MISMATCH';
      expect([name, outcome]).toEqual([name, expected]);
    }
  });

  it.each([3, 4, 5])('refuses as a price of setup %i, without a throw, whatever is none', (oracleSetup) => {
    const bank = decodeBank(plainBank('priced', { config: { oracleSetup } }).account, MARGINFI_PROGRAM);
    const moment = { slot: 1n, unixTimestamp: 0n };
    const kinds = accounts.map(({ name, account }) => {
      const feed = { ...account, address: bank.oracle.keys[0] ?? account.address };
      return { name, kind: loadOracle(bank, oracleSetup === 5 ? [feed, null, null, null] : [feed], moment).kind };
    });
    const isFeed = (name: string) =>
      (oracleSetup === 3 && name.startsWith('pyth-receiver/')) ||
      (oracleSetup === 4 && name.startsWith('switchboard-on-demand/'));
    const loaded = kinds.filter(({ kind }) => kind === 'loaded').map(({ name }) => name);
    expect(loaded).toEqual(accounts.map(({ name }) => name).filter(isFeed));
  });
});

function outcomeOf(run: () => unknown): string {
  try {
    run();
    return 'decoded';
  } catch (error) {
    return isLendingError(error) ? error.code : `not a LendingError: ${String(error)}`;
  }
}

function expectRecorded(bank: RatedBank, recorded: RecordedRates, bound: RatesBound): void {
  const [assets, liabilities] = [totalAssetsOf(bank.shares), totalLiabilitiesOf(bank.shares)];
  expectWithin('total assets', assets, new BigNumber(recorded.totalAssetQuantity), bound.totalAssets);
  expectWithin(
    'total liabilities',
    liabilities,
    new BigNumber(recorded.totalLiabilityQuantity),
    bound.totalLiabilities,
  );
  const utilization = computeUtilization(assets, liabilities);
  const rates =
    utilization === null ? null : computeInterestRates(bank.curve, { ...bank.fees, program: null }, utilization);
  const { utilizationRate, baseInterestRate, lendingRateApr, borrowingRateApr } = recorded;
  if (
    rates === null ||
    utilizationRate === null ||
    baseInterestRate === null ||
    lendingRateApr === null ||
    borrowingRateApr === null
  ) {
    expect([rates, baseInterestRate]).toEqual([null, null]);
    return;
  }
  expectWithin('utilization', rates.utilization, new BigNumber(utilizationRate), bound.utilization);
  expectWithin('base APR', rates.baseApr, new BigNumber(baseInterestRate), bound.baseApr);
  expectWithin('deposit APR', rates.depositApr, new BigNumber(lendingRateApr), bound.depositApr);
  expectWithin('borrow APR', rates.borrowApr, new BigNumber(borrowingRateApr), bound.borrowApr);
}

/** Spot and EMA with their edges; of a Switchboard feed the median alone, because the SDK mistakes its deviation. */
function expectSamePrice(oracleSetup: number, account: (typeof accounts)[number]['account']): void {
  const made = plainBank('priced', { config: { oracleSetup } }).account;
  const bank = decodeBank(made, MARGINFI_PROGRAM);
  const feed = { ...account, address: bank.oracle.keys[0] ?? account.address };
  const loaded = loadOracle(bank, [feed], { slot: 0n, unixTimestamp: 0n });
  if (loaded.kind !== 'loaded') throw new Error(`refused: ${loaded.reason}`);
  const price = toRiskPrice(bank, loaded);
  if (price.kind !== 'loaded' || typeof price.spot === 'string' || typeof price.ema === 'string')
    throw new Error('there is no price');
  const { priceRealtime, priceWeighted } = sdkPrice(sdkBank(made), feed);
  const bound = priceBound(loaded.feed);
  expectWithin('spot price', price.spot.spot, priceRealtime.price, bound.spot.spot);
  expectWithin('EMA price', price.ema.spot, priceWeighted.price, bound.ema.spot);
  if (loaded.feed.kind !== 'pyth') return;
  expectWithin('low spot price', price.spot.low, priceRealtime.lowestPrice, bound.spot.low);
  expectWithin('high EMA price', price.ema.high, priceWeighted.highestPrice, bound.ema.high);
}

interface ListedBank {
  readonly address: string;
  readonly tokenSymbol: string;
  readonly assetShareValue: string;
  readonly liabilityShareValue: string;
  readonly totalAssetShares: string;
  readonly totalLiabilityShares: string;
  readonly config: { readonly interestRateConfig: ListedRates };
}

interface ListedRates {
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

function fromList(bank: ListedBank): RatedBank {
  const rates = bank.config.interestRateConfig;
  const fees: Omit<InterestFees, 'program'> = {
    insurance: { rate: parseI80F48(rates.insuranceIrFee), fixedApr: parseI80F48(rates.insuranceFeeFixedApr) },
    group: { rate: parseI80F48(rates.protocolIrFee), fixedApr: parseI80F48(rates.protocolFixedFeeApr) },
  };
  const shares = {
    assetShareValue: parseI80F48(bank.assetShareValue),
    liabilityShareValue: parseI80F48(bank.liabilityShareValue),
    totalAssetShares: parseI80F48(bank.totalAssetShares),
    totalLiabilityShares: parseI80F48(bank.totalLiabilityShares),
    lastUpdate: 0n,
  };
  return { shares, curve: curveOf(rates), fees };
}

function curveOf(rates: ListedRates): InterestCurve {
  if (rates.curveType === 1) return createPointsCurve(rates.zeroUtilRate, rates.hundredUtilRate, rates.points);
  return {
    kind: 'legacy',
    optimalUtilization: parseI80F48(rates.optimalUtilizationRate),
    plateauApr: parseI80F48(rates.plateauInterestRate),
    maxApr: parseI80F48(rates.maxInterestRate),
  };
}
