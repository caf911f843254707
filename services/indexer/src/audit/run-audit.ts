import { type AuditRow, auditFacts } from '@lending/audit';
import type { Bus } from '@lending/bus';
import { createMessage, type MessageSource } from '@lending/events';
import { createOutage, type Logger, type Readiness, runBeat } from '@lending/runtime';
import type { Slot } from '@solana/kit';
import type { Auditor } from './auditor.ts';

export interface RunAuditOptions {
  readonly bus: Pick<Bus, 'publish'>;
  readonly source: MessageSource;
  /** What the tables have. */
  readonly recall: () => Promise<readonly AuditRow[]>;
  /** Unix seconds of a slot. */
  readonly timeOf: (slot: Slot) => bigint;
  readonly logger: Logger;
  readonly readiness: Readiness;
}

const PUBLISH_MS = 1_000;
/** What another process found may come to the tables after the start. */
const LEARN_MS = 60_000;

/** Has the auditor learn what is known, and publishes what it finds, the newest of each figure once a second, until the signal aborts. */
export async function runAudit(auditor: Auditor, options: RunAuditOptions, signal: AbortSignal): Promise<void> {
  const { bus, source, recall, timeOf, logger, readiness } = options;
  const outage = createOutage({
    component: readiness.component('bank-audit'),
    logger,
    failEvent: 'bank.audit.fail',
    resumeEvent: 'bank.audit.resume',
  });
  let learnedMs = Number.NEGATIVE_INFINITY;
  async function publish(): Promise<void> {
    if (performance.now() - learnedMs > LEARN_MS) {
      auditor.learn(await recall());
      learnedMs = performance.now();
    }
    const rows = auditor.take();
    try {
      if (rows.length > 0)
        await bus.publish(
          rows.map((row) => createMessage({ ...auditFacts(row), unixTimestamp: timeOf(row.slot), source })),
        );
      outage.recovered();
    } catch (error) {
      auditor.putBack(rows);
      throw error;
    }
  }
  await runBeat(PUBLISH_MS, signal, publish, { maxDelayMs: 5_000, onError: (error) => outage.failed(error) });
}
