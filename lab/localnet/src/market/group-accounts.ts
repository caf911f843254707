import { type InterestFee, parseI80F48 } from '@lending/domain';
import {
  feeStateLayout,
  findFeeState,
  isSince,
  MARGINFI_PROGRAM,
  marginfiGroupLayout,
  type ProgramVersion,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import { type Address, address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { madeOf } from './account-state.ts';
import { PREMIUM_ENTRIES } from './premiums.ts';

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
/** The main group: program fees on, nothing paused, no rate limits; what its program does not know yet is left out. */
export function groupAccount(
  bankCount: number,
  { unixTimestamp, programVersion }: { readonly unixTimestamp: bigint; readonly programVersion: ProgramVersion },
): AccountState {
  const premiums = isSince(programVersion, '0.1.12') ? PREMIUM_ENTRIES : [];
  const sameAsset = isSince(programVersion, '0.1.10') ? SAME_ASSET_LEVERAGE : { init: 0, maint: 0 };
  return madeOf(MARGINFI_PROGRAM, marginfiGroupLayout, (zero) => ({
    ...zero,
    admin: ADMIN,
    groupFlags: PROGRAM_FEES_ENABLED,
    feeStateCache: {
      globalFeeWallet: ADMIN,
      programFeeFixed: PROGRAM_FEE.fixedApr,
      programFeeRate: PROGRAM_FEE.rate,
      lastUpdate: unixTimestamp,
    },
    banks: bankCount,
    emodeAdmin: ADMIN,
    delegateCurveAdmin: DELEGATE,
    delegateLimitAdmin: DELEGATE,
    delegateEmissionsAdmin: DELEGATE,
    panicStateCache: { ...zero.panicStateCache, lastCacheUpdate: unixTimestamp },
    riskAdmin: ADMIN,
    metadataAdmin: ADMIN,
    emodeMaxInitLeverage: leverage(15),
    emodeMaxMaintLeverage: leverage(20),
    sameAssetEmodeInitLeverage: sameAsset.init,
    sameAssetEmodeMaintLeverage: sameAsset.maint,
    delegateFlowAdmin: ADMIN,
    premiumSettings: {
      ...zero.premiumSettings,
      timestamp: premiums.length === 0 ? 0n : unixTimestamp,
      entryCount: premiums.length,
      entryCapacity: premiums.length === 0 ? 0 : zero.premiumEntries.length,
    },
    premiumEntries: [...premiums, ...zero.premiumEntries.slice(premiums.length)],
  }));
}

/** Who governs it has money, as on mainnet. */
export function adminAccount(): readonly [Address, AccountState] {
  return [ADMIN, { lamports: 1_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }];
}

/** The program's fee state, at its derived address. */
export async function feeStateAccount(): Promise<readonly [Address, AccountState]> {
  const [key, bumpSeed] = await findFeeState();
  const state = madeOf(MARGINFI_PROGRAM, feeStateLayout, (zero) => ({
    ...zero,
    key,
    globalFeeAdmin: ADMIN,
    globalFeeWallet: ADMIN,
    bankInitFlatSolFee: BANK_INIT_FEE_LAMPORTS,
    bumpSeed,
    liquidationMaxFee: parseI80F48('0.05'),
    programFeeFixed: PROGRAM_FEE.fixedApr,
    programFeeRate: PROGRAM_FEE.rate,
    orderExecutionMaxFee: parseI80F48('0.05'),
  }));
  return [key, state];
}
