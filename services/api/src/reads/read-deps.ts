import type { ComponentStatus } from '@lending/runtime';
import type { SourceRow } from '@lending/store';
import type { ProgramStatus } from '#records/program-status.ts';
import type { VerifiedOnChain } from '#records/verified-on-chain.ts';
import type { OverruledUntil } from './audit-overrule.ts';
import type { AuditSet } from './audit-set.ts';
import type { BankSet } from './bank-set.ts';
import type { Follows } from './follows.ts';
import type { MeasureSet } from './measure-set.ts';
import type { ProgressSet } from './progress-set.ts';
import type { ReadStore } from './read-store.ts';
import type { ReserveSet } from './reserve-set.ts';
import type { StrategySet } from './strategy-set.ts';

/** What a read needs. Everything else is in its arguments. */
export interface ReadDeps {
  readonly store: ReadStore;
  readonly banks: BankSet;
  readonly reserves: ReserveSet;
  readonly measures: MeasureSet;
  readonly strategies: StrategySet;
  readonly progress: ProgressSet;
  readonly audits: AuditSet;
  readonly overruledUntil: OverruledUntil;
  readonly follows: Follows;
  /** What the parts of this process say about themselves; none where nobody reports. */
  readonly components: () => readonly ComponentStatus[];
  /** What this process itself hears from; of other processes the tables say it. */
  readonly ownSources: () => readonly SourceRow[];
  /** Wall clock, ms since 1970. */
  readonly now: () => number;
  /** Rates older than this are stale. */
  readonly staleAfterMs: number;
  /** Accounts and activity whose chain tip is older than this are stale, and wallets that were read longer ago. */
  readonly accountsStaleAfterMs: number;
  /** Addresses that are followed at most. */
  readonly maxFollowed: number;
  readonly version: string;
  /** The lending program as it runs; null before it was read. */
  readonly runningProgram: () => ProgramStatus | null;
  /** Which run of first contact stands for it; null where none does. */
  readonly verifiedOnChain: () => VerifiedOnChain | null;
}
