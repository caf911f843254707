import fc from 'fast-check';
import { balanceDecimals } from '../../asset-tag.ts';
import { I80F48_ONE, integerToI80F48, multiplyI80F48, parseI80F48 } from '../../i80f48.ts';
import { bandOf } from '../band-of.ts';
import type { RiskBalance, RiskBank, RiskPrice } from '../risk-balance.ts';

/** Made accounts for tests: decimal text in, what the risk engine reads out. */
interface MadeBank {
  readonly address?: string;
  readonly price?: string;
  /** Half the width of the band, USD. */
  readonly interval?: string;
  readonly emaPrice?: string;
  readonly assetInit?: string | undefined;
  readonly assetMaint?: string | undefined;
  readonly liabilityInit?: string | undefined;
  readonly liabilityMaint?: string | undefined;
}

export function madeBank(made: MadeBank & Partial<RiskBank> = {}): RiskBank {
  return {
    address: made.address ?? 'bank',
    assetTag: made.assetTag ?? 0,
    decimals: made.decimals ?? 6,
    operationalState: made.operationalState ?? 'Operational',
    breaker: made.breaker ?? null,
    riskTier: made.riskTier ?? 'Collateral',
    weights: made.weights ?? {
      assetInit: parseI80F48(made.assetInit ?? '0.8'),
      assetMaint: parseI80F48(made.assetMaint ?? '0.9'),
      liabilityInit: parseI80F48(made.liabilityInit ?? '1.25'),
      liabilityMaint: parseI80F48(made.liabilityMaint ?? '1.1'),
    },
    totalAssetValueInitLimitUsd: made.totalAssetValueInitLimitUsd ?? null,
    emode: made.emode ?? { tag: 0, entries: [] },
    premium: made.premium ?? { tag: 0, isActive: false, activatedAt: 0n },
    sameAsset: made.sameAsset ?? null,
    shares: made.shares ?? {
      assetShareValue: I80F48_ONE,
      liabilityShareValue: I80F48_ONE,
      totalAssetShares: integerToI80F48(1_000_000_000_000n),
      totalLiabilityShares: 0n,
      lastUpdate: 0n,
    },
  };
}

export function madePrice(price: string, interval = '0', ema = price, emaInterval = interval): RiskPrice {
  return { kind: 'loaded', spot: band(price, interval), ema: band(ema, emaInterval), hasBorrowingPower: true };
}

/** A deposit of `amount` UI tokens. */
export function collateral(amount: string, made: MadeBank & Partial<RiskBank> = {}): RiskBalance {
  const bank = madeBank(made);
  return { bank, price: priceOf(made), assetShares: baseUnits(amount, bank), liabilityShares: 0n, premium: 0n };
}

/** A debt of `amount` UI tokens. */
export function debt(amount: string, made: MadeBank & Partial<RiskBank> = {}): RiskBalance {
  const bank = madeBank(made);
  return { bank, price: priceOf(made), assetShares: 0n, liabilityShares: baseUnits(amount, bank), premium: 0n };
}

function priceOf({ price = '1', interval = '0', emaPrice = price }: MadeBank): RiskPrice {
  return madePrice(price, interval, emaPrice);
}

function baseUnits(amount: string, bank: RiskBank): bigint {
  return parseI80F48(amount) * 10n ** BigInt(bank.decimals);
}

function band(price: string, interval: string) {
  const spot = parseI80F48(price);
  const half = parseI80F48(interval);
  return { spot, low: spot - half, high: spot + half };
}

const range = (min: string, max: string) => fc.bigInt(parseI80F48(min), parseI80F48(max));

/** Banks as a market may have them: weights, emode, share values, limits, prices with bands. Few tags, so that they meet. */
const anyBank: fc.Arbitrary<RiskBank> = fc
  .record({
    assetTag: fc.constantFrom(0, 1, 3, 4),
    decimals: fc.constantFrom(0, 5, 6, 8, 9),
    operationalState: fc.constantFrom<RiskBank['operationalState']>('Operational', 'Paused', 'ReduceOnly'),
    riskTier: fc.constantFrom<RiskBank['riskTier']>('Collateral', 'Collateral', 'Collateral', 'Isolated'),
    assetInit: range('0', '1'),
    assetAdded: range('0', '0.5'),
    liabilityMaint: range('1', '1.5'),
    liabilityAdded: range('0', '0.5'),
    totalAssetValueInitLimitUsd: fc.constantFrom(null, null, 1n, 50_000n),
    tag: fc.integer({ min: 0, max: 3 }),
    entries: fc.uniqueArray(
      fc.record({
        collateralTag: fc.integer({ min: 1, max: 3 }),
        assetWeightInit: range('0', '1.1'),
        assetWeightMaint: range('0', '1.2'),
      }),
      { maxLength: 3, selector: ({ collateralTag }) => collateralTag },
    ),
    sameAsset: fc.option(
      fc.record({
        asset: fc.constantFrom('SOL', 'USDC'),
        isDebtToo: fc.boolean(),
        // Of the group, and so the same for all.
        leverage: fc.constant({ init: 10n * I80F48_ONE, maint: 20n * I80F48_ONE }),
      }),
    ),
    assetShareValue: range('0.5', '3'),
    liabilityShareValue: range('0.5', '3'),
    totalAssetShares: range('0', '1000000000000000'),
  })
  .map(({ assetInit, assetAdded, liabilityMaint, liabilityAdded, tag, entries, sameAsset, ...made }) => {
    const { assetShareValue, liabilityShareValue, totalAssetShares, ...bank } = made;
    return madeBank({
      ...bank,
      weights: {
        assetInit,
        assetMaint: assetInit + assetAdded,
        liabilityInit: liabilityMaint + liabilityAdded,
        liabilityMaint,
      },
      emode: { tag, entries },
      sameAsset,
      shares: { assetShareValue, liabilityShareValue, totalAssetShares, totalLiabilityShares: 0n, lastUpdate: 0n },
    });
  });

/** Bands with half-widths from nothing to the cap of 5 %. */
const anyBand = fc.tuple(range('0.001', '100000'), range('0', '0.05')).map(([spot, part]) => {
  const half = multiplyI80F48(spot, part);
  return { spot, low: spot - half, high: spot + half };
});

export const anyPrice: fc.Arbitrary<RiskPrice> = fc.record({
  kind: fc.constant('loaded'),
  spot: anyBand,
  ema: anyBand,
  hasBorrowingPower: fc.constantFrom(true, true, true, false),
});

/** A balance of one side, worth from a thousandth of a dollar to a million, so that the balances of an account weigh on each other. */
export const anyBalance: fc.Arbitrary<RiskBalance> = fc
  .tuple(anyBank, anyPrice, fc.boolean(), fc.integer({ min: -3, max: 5 }), range('1', '10'), range('0', '0.3'))
  .map(([bank, price, isDebt, magnitude, mantissa, premiumPart]) => {
    const shareValue = isDebt ? bank.shares.liabilityShareValue : bank.shares.assetShareValue;
    const spot = bandOf(price, 'spot')?.spot ?? I80F48_ONE;
    const tokens = (mantissa * I80F48_ONE * I80F48_ONE * 10n ** BigInt(3 + magnitude)) / (1000n * spot * shareValue);
    const shares = tokens * 10n ** BigInt(balanceDecimals(bank.assetTag, bank.decimals));
    const premium = isDebt ? multiplyI80F48(shares, premiumPart) : 0n;
    return { bank, price, assetShares: isDebt ? 0n : shares, liabilityShares: isDebt ? shares : 0n, premium };
  });

export const anyAccount: fc.Arbitrary<readonly RiskBalance[]> = fc.array(anyBalance, { maxLength: 6 });
