import type { Logger, Metrics } from '@lending/runtime';
import type { BankAuditRow } from '@lending/store';
import { createHotSet, type HotSet } from './hot-set.ts';
import type { ReadStore } from './read-store.ts';

/** How our figures of one bank compare with the program's own. */
export interface AuditedBank {
  readonly bank: string;
  readonly figures: readonly BankAuditRow[];
  /** Those that are not trusted: they differed beyond their bound, and have not agreed for long enough since. */
  readonly unverified: readonly BankAuditRow[];
}

/** By bank. One that was never compared is not in it, and is not refused. */
export type AuditSnapshot = ReadonlyMap<string, AuditedBank>;

export interface AuditSetOptions {
  readonly store: Pick<ReadStore, 'listBankAudits'>;
  /** Rows of another chain say nothing of this one. */
  readonly source: 'chain' | 'localnet';
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly now?: () => number;
  /** Older than this it is read again when it is next asked for. Default 2 s. */
  readonly maxAgeMs?: number;
  /** Older than this whoever asks waits: nothing may be built on a trust that ended long ago. Default 5 s. */
  readonly waitAfterMs?: number;
}

/** Every audit in memory, so that a build reads no table for it. */
export type AuditSet = HotSet<AuditSnapshot>;

/** Loads nothing until it is first asked, or its metrics are read. */
export function createAuditSet(options: AuditSetOptions): AuditSet {
  const { store, source, logger, metrics, now = Date.now, maxAgeMs = 2_000, waitAfterMs = 5_000 } = options;
  let rows: readonly BankAuditRow[] = [];
  const audits = createHotSet<AuditSnapshot>({
    async load() {
      rows = await store.listBankAudits(source);
      return byBank(rows);
    },
    // Where nothing was compared yet there is nothing to wait for.
    isEmpty: () => false,
    logger,
    failEvent: 'read.audit.load',
    now,
    maxAgeMs,
    waitAfterMs,
  });
  exposeAudits(metrics, () => {
    // What is shown is as old as the reading of metrics before this one, and nothing else may ask for hours.
    audits.get().catch((error: unknown) => logger.debug('read.audit.load', { error }));
    return rows;
  });
  return audits;
}

function byBank(rows: readonly BankAuditRow[]): AuditSnapshot {
  return new Map(
    [...Map.groupBy(rows, ({ bank }) => bank)].map(([bank, figures]) => [
      bank,
      { bank, figures, unverified: figures.filter(({ unverified_since: since }) => since !== null) },
    ]),
  );
}

/** Sums over the banks: a label names the figure alone, `/v1/status` the bank. */
function exposeAudits(metrics: Metrics, read: () => readonly BankAuditRow[]): void {
  const sumOf = (ofRow: (row: BankAuditRow) => number) => () =>
    [...Map.groupBy(read(), ({ figure }) => figure)].map(
      ([figure, rows]) => [{ figure }, rows.reduce((sum, row) => sum + ofRow(row), 0)] as const,
    );
  metrics.gauge({
    name: 'audit.figure.compare',
    help: 'Comparisons of a figure of ours with the program’s own since the first ever, of all banks',
    labels: ['figure'],
    collectEach: sumOf(({ compared }) => Number(compared)),
  });
  metrics.gauge({
    name: 'audit.figure.differ',
    help: 'How many of them differed beyond their bound',
    labels: ['figure'],
    collectEach: sumOf(({ differed }) => Number(differed)),
  });
  metrics.gauge({
    name: 'audit.bank.unverified',
    help: 'Banks of which the figure is not trusted at present, overruled or not',
    labels: ['figure'],
    collectEach: sumOf(({ unverified_since: since }) => (since === null ? 0 : 1)),
  });
}
