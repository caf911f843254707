import { I80F48_ONE, integerToI80F48, parseI80F48 } from '../i80f48.ts';
import type { RiskBalance, RiskBank, RiskPrice } from './risk-balance.ts';

/** Made accounts for the tests of this folder: decimal text in, what the risk engine reads out. */
interface MadeBank {
  readonly address?: string;
  readonly price?: string;
  /** Half the width of the band, USD. */
  readonly interval?: string;
  readonly emaPrice?: string;
  readonly assetInit?: string;
  readonly assetMaint?: string;
  readonly liabilityInit?: string;
  readonly liabilityMaint?: string;
}

export function madeBank(made: MadeBank & Partial<RiskBank> = {}): RiskBank {
  return {
    address: made.address ?? 'bank',
    assetTag: made.assetTag ?? 0,
    decimals: made.decimals ?? 6,
    operationalState: made.operationalState ?? 'Operational',
    riskTier: made.riskTier ?? 'Collateral',
    weights: {
      assetInit: parseI80F48(made.assetInit ?? '0.8'),
      assetMaint: parseI80F48(made.assetMaint ?? '0.9'),
      liabilityInit: parseI80F48(made.liabilityInit ?? '1.25'),
      liabilityMaint: parseI80F48(made.liabilityMaint ?? '1.1'),
    },
    totalAssetValueInitLimitUsd: made.totalAssetValueInitLimitUsd ?? null,
    emode: made.emode ?? { tag: 0, entries: [] },
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
  return { kind: 'loaded', spot: band(price, interval), ema: band(ema, emaInterval) };
}

/** A deposit of `amount` UI tokens. */
export function collateral(amount: string, made: MadeBank & Partial<RiskBank> = {}): RiskBalance {
  const bank = madeBank(made);
  return { bank, price: priceOf(made), assetShares: baseUnits(amount, bank), liabilityShares: 0n };
}

/** A debt of `amount` UI tokens. */
export function debt(amount: string, made: MadeBank & Partial<RiskBank> = {}): RiskBalance {
  const bank = madeBank(made);
  return { bank, price: priceOf(made), assetShares: 0n, liabilityShares: baseUnits(amount, bank) };
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
