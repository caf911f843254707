import { marginfiGroupLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { decodeAccount } from '../decode-account.ts';
import type { P0Group } from './bank.ts';
import type { ProgramVersion } from './program-version.ts';

const PROGRAM_FEES_ENABLED = 1n;
const PAUSED = 1;
/**
 * How long a pause lasts from its start.
 * @see marginfi-v2 type-crate/src/types/panic_state_cache.rs `PanicState::PAUSE_DURATION_SECONDS`
 */
const PAUSE_SECONDS: Readonly<Record<ProgramVersion, bigint>> = {
  '0.1.7': 1_800n,
  '0.1.8': 604_800n,
  '0.1.9': 21_600n,
};
const decoder = marginfiGroupLayout;

/**
 * Reads a group: the program fees its banks charge and whether the program is paused.
 * @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED
 */
export function decodeGroup(account: AccountBytes, programId: Address): P0Group {
  const shape = {
    kind: 'group',
    owner: programId,
    discriminator: marginfiGroupLayout.discriminator,
    size: marginfiGroupLayout.fixedSize,
  };
  const group = decodeAccount(account, shape, decoder);
  const { programFeeRate: rate, programFeeFixed: fixedApr, globalFeeWallet } = group.feeStateCache;
  const { pauseFlags, pauseStartTimestamp } = group.panicStateCache;
  return {
    address: account.address,
    admin: group.admin,
    programFee: (group.groupFlags & PROGRAM_FEES_ENABLED) === 0n ? null : { rate, fixedApr },
    feeWallet: globalFeeWallet,
    rawFlags: group.groupFlags,
    rateLimiter: group.rateLimiter,
    pauseStart: (pauseFlags & PAUSED) === 0 ? null : pauseStartTimestamp,
  };
}

/** Whether every user instruction fails now, repayments and withdrawals too. A pause that was extended starts in the future and holds until it lapses. */
export function isGroupPaused(
  group: Pick<P0Group, 'pauseStart'>,
  unixTimestamp: bigint,
  version: ProgramVersion = '0.1.9',
): boolean {
  return group.pauseStart !== null && unixTimestamp - group.pauseStart < PAUSE_SECONDS[version];
}
