import type { DriftSpotMarket } from '@lending/programs';
import type { DemoTokenName } from '../tokens.ts';

type Copied =
  | 'marketIndex'
  | 'depositBalance'
  | 'borrowBalance'
  | 'cumulativeDepositInterest'
  | 'cumulativeBorrowInterest'
  | 'withdrawGuardThreshold'
  | 'maxTokenDeposits'
  | 'maxTokenBorrowsFraction'
  | 'depositTokenTwap'
  | 'borrowTokenTwap'
  | 'utilizationTwap'
  | 'initialAssetWeight'
  | 'maintenanceAssetWeight'
  | 'initialLiabilityWeight'
  | 'maintenanceLiabilityWeight'
  | 'optimalUtilization'
  | 'optimalBorrowRate'
  | 'maxBorrowRate'
  | 'minBorrowRate'
  | 'oracleSource'
  | 'status'
  | 'assetTier';

/** A spot market in the account's own units. */
export interface DriftReserveRow extends Pick<DriftSpotMarket, Copied> {
  readonly token: DemoTokenName;
  readonly oracle: string;
  /** Millionths. */
  readonly insuranceFactor: number;
  /** Millionths of a USD. */
  readonly lastOraclePrice: bigint;
  /** What is left in the vault: ours, small against what the books promise. */
  readonly vaultBase: bigint;
}

/** Mainnet's markets behind the demo's Drift banks and one that P0 does not reach, as their accounts were last seen in public. */
export const DRIFT_RESERVE_ROWS: readonly DriftReserveRow[] = [
  {
    // 2026-03-13 20:52 UTC.
    ...{ token: 'USDC', marketIndex: 0, oracle: '9VCioxmni2gDLv11qufWzT3RDERhQE4iY5Gf7NTfYyAV', oracleSource: 15 },
    ...{ depositBalance: 110_620_005_629_232_962n, borrowBalance: 48_161_686_444_869_411n },
    ...{ cumulativeDepositInterest: 12_012_201_110n, cumulativeBorrowInterest: 13_964_019_777n },
    ...{ withdrawGuardThreshold: 25_000_000_000_000n, maxTokenDeposits: 500_000_000_000_000n },
    ...{ depositTokenTwap: 134_153_443_121_173n, borrowTokenTwap: 67_646_422_953_479n, utilizationTwap: 510_364n },
    ...{ initialAssetWeight: 10_000, maintenanceAssetWeight: 10_000 },
    ...{ initialLiabilityWeight: 10_000, maintenanceLiabilityWeight: 10_000 },
    ...{ optimalUtilization: 800_000, optimalBorrowRate: 52_500, maxBorrowRate: 900_000, minBorrowRate: 1 },
    ...{ insuranceFactor: 100_000, maxTokenBorrowsFraction: 0, status: 1, assetTier: 0 },
    ...{ lastOraclePrice: 999_942n, vaultBase: 1_250_000_000n },
  },
  {
    // 2025-06-24 13:33 UTC.
    ...{ token: 'SOL', marketIndex: 1, oracle: '3m6i4RFWEDw2Ft4tFHPJtYgmpPe21k56M3FHeWYrgGBz', oracleSource: 12 },
    ...{ depositBalance: 246_991_204_540_850n, borrowBalance: 135_734_183_536_337n },
    ...{ cumulativeDepositInterest: 10_620_222_934n, cumulativeBorrowInterest: 11_605_890_567n },
    ...{ withdrawGuardThreshold: 50_000_000_000_000n, maxTokenDeposits: 850_000_000_000_000n },
    ...{ depositTokenTwap: 261_971_484_939_039n, borrowTokenTwap: 166_753_637_330_233n, utilizationTwap: 637_819n },
    ...{ initialAssetWeight: 8_000, maintenanceAssetWeight: 9_000 },
    ...{ initialLiabilityWeight: 12_000, maintenanceLiabilityWeight: 11_000 },
    ...{ optimalUtilization: 800_000, optimalBorrowRate: 100_000, maxBorrowRate: 1_500_000, minBorrowRate: 1 },
    ...{ insuranceFactor: 200_000, maxTokenBorrowsFraction: 0, status: 1, assetTier: 0 },
    ...{ lastOraclePrice: 143_687_784n, vaultBase: 18_000_000_000n },
  },
  {
    // 2024-09-30 12:56 UTC.
    ...{ token: 'PYUSD', marketIndex: 22, oracle: 'HpMoKp3TCd3QT4MWYUKk2zCBwmhr5Df45fB6wdxYqEeh', oracleSource: 7 },
    ...{ depositBalance: 35_451_586_191_650_885n, borrowBalance: 7_802_992_869_513_617n },
    ...{ cumulativeDepositInterest: 10_212_914_505n, cumulativeBorrowInterest: 10_070_408_165n },
    ...{ withdrawGuardThreshold: 500_000_000_000n, maxTokenDeposits: 100_000_000_000_000n },
    ...{ depositTokenTwap: 36_920_294_441_872n, borrowTokenTwap: 8_076_172_898_729n, utilizationTwap: 219_437n },
    ...{ initialAssetWeight: 9_000, maintenanceAssetWeight: 9_500 },
    ...{ initialLiabilityWeight: 11_000, maintenanceLiabilityWeight: 10_500 },
    ...{ optimalUtilization: 500_000, optimalBorrowRate: 150_000, maxBorrowRate: 3_000_000, minBorrowRate: 0 },
    ...{ insuranceFactor: 100_000, maxTokenBorrowsFraction: 2_500, status: 1, assetTier: 0 },
    ...{ lastOraclePrice: 999_174n, vaultBase: 0n },
  },
];
