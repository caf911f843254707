import { type I80F48, integerToI80F48, multiplyI80F48, type PremiumPair, utilizationFromU32 } from '@lending/domain';
import {
  isSince,
  type MarginfiGroup,
  marginfiGroupLayout,
  NEWEST_VERSION,
  type ProgramVersion,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { decodeAccount } from '../decode-account.ts';
import type { P0Group } from './bank.ts';

const PROGRAM_FEES_ENABLED = 1n;
const PAUSED = 1;
const HUNDRED = integerToI80F48(100n);
/**
 * How long a pause lasts from its start, and since which version.
 * @see marginfi-v2 type-crate/src/types/panic_state_cache.rs `PanicState::PAUSE_DURATION_SECONDS`
 */
const PAUSE_SECONDS = [
  ['0.1.9', 21_600n],
  ['0.1.8', 604_800n],
  ['0.1.7', 1_800n],
] as const;

/**
 * Reads a group: the fees and premiums its banks charge and whether the program is paused.
 * @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED
 */
export function decodeGroup(account: AccountBytes, programId: Address): P0Group {
  const group = decodeAccount(account, { kind: 'group', owner: programId }, marginfiGroupLayout);
  const { programFeeRate: rate, programFeeFixed: fixedApr, globalFeeWallet } = group.feeStateCache;
  const { pauseFlags, pauseStartTimestamp } = group.panicStateCache;
  return {
    address: account.address,
    admin: group.admin,
    programFee: (group.groupFlags & PROGRAM_FEES_ENABLED) === 0n ? null : { rate, fixedApr },
    feeWallet: globalFeeWallet,
    rawFlags: group.groupFlags,
    rateLimiter: group.rateLimiter,
    sameAssetLeverage: {
      init: decodeLeverage(group.sameAssetEmodeInitLeverage),
      maint: decodeLeverage(group.sameAssetEmodeMaintLeverage),
    },
    premiumPairs: premiumPairsOf(group),
    pauseStart: (pauseFlags & PAUSED) === 0 ? null : pauseStartTimestamp,
  };
}

/** The table's rows in use; a count beyond it is cut, as the program cuts it. */
function premiumPairsOf({ premiumSettings, premiumEntries }: MarginfiGroup): readonly PremiumPair[] {
  return premiumEntries.slice(0, premiumSettings.entryCount);
}

/** A leverage of same-asset emode; u32::MAX is 100. @see marginfi-v2 type-crate/src/types/interest_rate.rs `u32_to_basis` */
export function decodeLeverage(encoded: number): I80F48 {
  return multiplyI80F48(utilizationFromU32(encoded), HUNDRED);
}

/** Whether every user instruction fails now, repayments and withdrawals too. A pause that was extended starts in the future and holds until it lapses. */
export function isGroupPaused(
  group: Pick<P0Group, 'pauseStart'>,
  unixTimestamp: bigint,
  version: ProgramVersion = NEWEST_VERSION,
): boolean {
  const seconds = PAUSE_SECONDS.find(([since]) => isSince(version, since))?.[1] ?? 0n;
  return group.pauseStart !== null && unixTimestamp - group.pauseStart < seconds;
}
