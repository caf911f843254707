import type { ComponentStatus } from '@lending/runtime';
import type { BankSet } from './bank-set.ts';
import type { ReadStore } from './read-store.ts';
import type { ReserveSet } from './reserve-set.ts';

/** What a read needs. Everything else is in its arguments. */
export interface ReadDeps {
  readonly store: ReadStore;
  readonly banks: BankSet;
  readonly reserves: ReserveSet;
  /** What the parts of this process say about themselves; none where nobody reports. */
  readonly components: () => readonly ComponentStatus[];
  /** Wall clock, ms since 1970. */
  readonly now: () => number;
  /** Rates older than this are stale. */
  readonly staleAfterMs: number;
  readonly version: string;
}
