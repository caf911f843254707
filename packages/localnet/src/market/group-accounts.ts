import { type InterestFee, parseI80F48 } from '@lending/domain';
import {
  feeStateLayout,
  findFeeState,
  isSince,
  MARGINFI_PROGRAM,
  marginfiGroupLayout,
  NO_KEY,
  type ProgramVersion,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import { type Address, address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { PREMIUM_ENTRIES } from './premiums.ts';
import { rentExempt } from './rent.ts';

/** Mainnet's administrator of group and program fees, and its other roles (group dump of 2025-10, fee state of 2026-07). */
const ADMIN = address('CYXEgwbPHu2f9cY3mcUkinzDoDcsSan7myh1uBvYRbEw');
const DELEGATE = address('BACjgGYJYwVRRpnHJfcjykfkp2Xu118ghx5fYL1wgY7p');
/** Mainnet's program fee. Its main group had it switched off in 2025-10; here it is on, so that readers meet it. */
export const PROGRAM_FEE: InterestFee = { rate: parseI80F48('0.075'), fixedApr: 0n };
const PROGRAM_FEES_ENABLED = 1n;
const BANK_INIT_FEE_LAMPORTS = 150_000_000;
/** Fraction of u32::MAX times one hundred. The program's defaults: 15 times initially, 20 at maintenance. */
const leverage = (times: number) => Math.round((times / 100) * 0xffff_ffff);
/** Of same-asset emode; chosen here. */
const SAME_ASSET_LEVERAGE = { init: leverage(10), maint: leverage(15) };
const NO_PREMIUM = { collateralTag: 0, liabilityTag: 0, rate: 0 } as const;
const EMPTY_WINDOW = {
  maxOutflow: 0n,
  windowDuration: 0n,
  windowStart: 0n,
  prevWindowOutflow: 0n,
  curWindowOutflow: 0n,
} as const;
export const RATE_LIMITER_OFF = { hourly: EMPTY_WINDOW, daily: EMPTY_WINDOW } as const;

/** Slots of the table of premiums. */
const PREMIUM_SLOTS = 64;

/** The main group: program fees on, nothing paused, no rate limits; what its program does not know yet is left out. */
export function groupAccount(
  bankCount: number,
  { unixTimestamp, programVersion }: { readonly unixTimestamp: bigint; readonly programVersion: ProgramVersion },
): AccountState {
  const premiums = isSince(programVersion, '0.1.12') ? PREMIUM_ENTRIES : [];
  const sameAsset = isSince(programVersion, '0.1.10') ? SAME_ASSET_LEVERAGE : { init: 0, maint: 0 };
  const unused = Array.from({ length: PREMIUM_SLOTS - premiums.length }, () => NO_PREMIUM);
  const data = marginfiGroupLayout.encode({
    admin: ADMIN,
    groupFlags: PROGRAM_FEES_ENABLED,
    feeStateCache: {
      globalFeeWallet: ADMIN,
      programFeeFixed: PROGRAM_FEE.fixedApr,
      programFeeRate: PROGRAM_FEE.rate,
      lastUpdate: unixTimestamp,
    },
    banks: bankCount,
    pad0: new Uint8Array(6),
    emodeAdmin: ADMIN,
    delegateCurveAdmin: DELEGATE,
    delegateLimitAdmin: DELEGATE,
    delegateEmissionsAdmin: DELEGATE,
    panicStateCache: {
      pauseFlags: 0,
      _reserved: new Uint8Array(7),
      pauseStartTimestamp: 0n,
      lastCacheUpdate: unixTimestamp,
    },
    deleverageWithdrawWindowCache: { dailyLimit: 0, withdrawnToday: 0, lastDailyResetTimestamp: 0n },
    riskAdmin: ADMIN,
    metadataAdmin: ADMIN,
    emodeMaxInitLeverage: leverage(15),
    emodeMaxMaintLeverage: leverage(20),
    sameAssetEmodeInitLeverage: sameAsset.init,
    sameAssetEmodeMaintLeverage: sameAsset.maint,
    rateLimiter: RATE_LIMITER_OFF,
    rateLimiterLastAdminUpdateSlot: 0n,
    rateLimiterLastAdminUpdateSeq: 0n,
    deleverageWithdrawLastAdminUpdateSlot: 0n,
    deleverageWithdrawLastAdminUpdateSeq: 0n,
    delegateFlowAdmin: ADMIN,
    premiumSettings: {
      timestamp: premiums.length === 0 ? 0n : unixTimestamp,
      entryCount: premiums.length,
      entryCapacity: premiums.length === 0 ? 0 : PREMIUM_SLOTS,
      _padding: new Uint8Array(20),
    },
    premiumEntries: [...premiums, ...unused],
  });
  return programAccount(data);
}

/** Who governs it has money, as on mainnet. */
export function adminAccount(): readonly [Address, AccountState] {
  return [ADMIN, { lamports: 1_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }];
}

/** The program's fee state, at its derived address. */
export async function feeStateAccount(): Promise<readonly [Address, AccountState]> {
  const [key, bumpSeed] = await findFeeState();
  const data = feeStateLayout.encode({
    key,
    globalFeeAdmin: ADMIN,
    globalFeeWallet: ADMIN,
    accountTransferFee: 0,
    _placeholder0: new Uint8Array(4),
    bankInitFlatSolFee: BANK_INIT_FEE_LAMPORTS,
    bumpSeed,
    _padding0: new Uint8Array(3),
    liquidationMaxFee: parseI80F48('0.05'),
    programFeeFixed: PROGRAM_FEE.fixedApr,
    programFeeRate: PROGRAM_FEE.rate,
    panicState: {
      pauseFlags: 0,
      dailyPauseCount: 0,
      consecutivePauseCount: 0,
      _reserved: new Uint8Array(5),
      pauseStartTimestamp: 0n,
      lastDailyResetTimestamp: 0n,
      _reserved_space: new Uint8Array(8),
    },
    placeholder1: 0n,
    liquidationFlatSolFee: 0,
    orderInitFlatSolFee: 0,
    orderExecutionMaxFee: parseI80F48('0.05'),
    pauseDelegateAdmin: NO_KEY,
  });
  return [key, programAccount(data)];
}

/** An account of the lending program with these bytes. */
export function programAccount(encoded: ArrayLike<number>): AccountState {
  const data = Uint8Array.from(encoded);
  return { lamports: rentExempt(data.length), owner: MARGINFI_PROGRAM, data, executable: false };
}
