import { I80F48_ONE, integerToI80F48, parseI80F48, type RiskBank } from '@lending/domain';
import type { StrategyBank, StrategyRates } from '#strategy-bank.ts';

/** Made banks for the tests of this package: decimal text and whole dollars in. Undefined is the default, null is null. */
export interface MadeBank extends Partial<Omit<StrategyBank, 'risk' | 'rates' | 'originationFee'>> {
  readonly assetInit?: string;
  readonly assetMaint?: string;
  readonly liabilityInit?: string;
  readonly liabilityMaint?: string;
  readonly originationFee?: string;
  readonly risk?: Partial<RiskBank>;
  readonly now?: Partial<StrategyRates>;
  readonly week?: Partial<StrategyRates>;
  readonly month?: Partial<StrategyRates>;
}

/** The moment at which tests rank. */
export const NOW_MS = Date.UTC(2026, 10, 22);

export const usd = (whole: number) => integerToI80F48(BigInt(whole));

/** A dollar bank of P0 with room, that earns 5 % and costs 6 %, now and always. */
export function madeBank(made: MadeBank = {}): StrategyBank {
  const { assetInit, assetMaint, liabilityInit, liabilityMaint, originationFee, risk, now, week, month, ...own } = made;
  const address = own.address ?? 'Bank';
  const rates = { interestDeposit: 5, totalBorrow: 6, native: 0, emissionsDeposit: 0, ...now };
  return {
    address,
    group: 'Group',
    mint: 'Dollar',
    symbol: 'USD',
    venue: 'p0',
    assetClass: 'dollar',
    takesDeposits: true,
    lendsOut: true,
    blockedBy: null,
    monthGrowths: null,
    depositRoomUsd: usd(1_000_000),
    borrowRoomUsd: usd(1_000_000),
    liquidityUsd: usd(1_000_000),
    ...own,
    originationFee: parseI80F48(originationFee ?? '0'),
    rates: { now: rates, week: { ...rates, ...week }, month: { ...rates, ...month } },
    risk: {
      address,
      assetTag: 0,
      decimals: 6,
      operationalState: 'Operational',
      breaker: null,
      riskTier: 'Collateral',
      weights: {
        assetInit: parseI80F48(assetInit ?? '0.8'),
        assetMaint: parseI80F48(assetMaint ?? '0.9'),
        liabilityInit: parseI80F48(liabilityInit ?? '1.25'),
        liabilityMaint: parseI80F48(liabilityMaint ?? '1.1'),
      },
      totalAssetValueInitLimitUsd: null,
      emode: { tag: 0, entries: [] },
      premium: { tag: 0, isActive: false, activatedAt: 0n },
      sameAsset: null,
      shares: {
        assetShareValue: I80F48_ONE,
        liabilityShareValue: I80F48_ONE,
        totalAssetShares: 0n,
        totalLiabilityShares: 0n,
        lastUpdate: 0n,
      },
      ...risk,
    },
  };
}
