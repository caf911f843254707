import { ASSET_TAG, BANK_FLAG } from '@lending/domain';
import type { P0Bank } from './bank.ts';

/** Releases of the program that this build tells apart, oldest first. What is older than the first behaves as it. */
export const PROGRAM_VERSIONS = ['0.1.7', '0.1.8', '0.1.9'] as const;
export type ProgramVersion = (typeof PROGRAM_VERSIONS)[number];

/** What was seen of a deployed program. Its own version byte is the same in all of these releases. */
export interface VersionSignals {
  readonly banks: Iterable<Pick<P0Bank, 'assetTag' | 'bankSeed' | 'curve' | 'flags' | 'oracle' | 'oracleCache'>>;
  /** Whether a deposit, withdraw, borrow or repay event was seen that ends in an amount of shares. */
  readonly hasShareAmountInEvents?: boolean;
  /** Whether pulsing an account that holds a staked bank asked for a fourth oracle account. */
  readonly wantsFourStakedAccounts?: boolean;
}

export interface DetectedVersion {
  /** The oldest release that can have left these signals. */
  readonly atLeast: ProgramVersion;
  /** The release to build for: the proven one, or a newer one that nothing speaks against. */
  readonly likely: ProgramVersion;
}

/** Flags of banks that 0.1.9 was the first to write. */
const FLAGS_OF_019 = BANK_FLAG.isToken2022 | BANK_FLAG.hasKnownSeed;
const SETUPS_OF_018: ReadonlySet<string> = new Set([
  'FixedKamino',
  'FixedDrift',
  'JuplendPythPull',
  'JuplendSwitchboardPull',
  'FixedJuplend',
]);

/**
 * Which release of the program is deployed, from what it left behind: 0.1.9 refuses banks on the legacy curve, so one that is still
 * there speaks against it, and a whole group without one speaks for it.
 */
export function detectProgramVersion(signals: VersionSignals): DetectedVersion {
  const banks = [...signals.banks];
  const is019 =
    signals.hasShareAmountInEvents === true ||
    signals.wantsFourStakedAccounts === true ||
    banks.some((bank) => (bank.flags & FLAGS_OF_019) !== 0n || bank.bankSeed !== 0n || hasCachedMultiplier(bank));
  if (is019) return { atLeast: '0.1.9', likely: '0.1.9' };
  const is018 = banks.some((bank) => bank.assetTag === ASSET_TAG.juplend || SETUPS_OF_018.has(bank.oracle.setup));
  const atLeast = is018 ? '0.1.8' : '0.1.7';
  const isMigrated = banks.length > 0 && banks.every((bank) => bank.curve.kind === 'points');
  return { atLeast, likely: isMigrated ? '0.1.9' : atLeast };
}

function hasCachedMultiplier({ oracleCache }: Pick<P0Bank, 'oracleCache'>): boolean {
  return oracleCache.multiplier !== null;
}
