import { type AuditRow, auditFacts } from '@lending/audit';
import type { Bus } from '@lending/bus';
import { createMessage, type MessageSource } from '@lending/events';
import { createOutage, type Logger, type Readiness, runBeat } from '@lending/runtime';
import type { Slot } from '@solana/kit';
import type { Auditor } from './auditor.ts';

export interface RunAuditOptions {
  readonly bus: Pick<Bus, 'publish'>;
  readonly source: MessageSource;
  /** What all processes found. */
  readonly recall: () => Promise<readonly AuditRow[]>;
  /** Unix seconds of a slot. */
  readonly timeOf: (slot: Slot) => bigint;
  /** How often what was found is published; default: every second. */
  readonly publishMs?: number;
  /** How often it is looked what other processes found; default: every minute. */
  readonly recallMs?: number;
  readonly logger: Logger;
  readonly readiness: Readiness;
}

const PUBLISH_MS = 1_000;
const RECALL_MS = 60_000;

/** Starts the auditor with what is known, and publishes what it finds, of each figure the newest, until the signal aborts. */
export async function runAudit(
  auditor: Pick<Auditor, 'recall' | 'take' | 'putBack'>,
  options: RunAuditOptions,
  signal: AbortSignal,
): Promise<void> {
  const { bus, source, recall, timeOf, publishMs = PUBLISH_MS, recallMs = RECALL_MS, logger, readiness } = options;
  const outage = createOutage({
    component: readiness.component('bank-audit'),
    logger,
    failEvent: 'bank.audit.fail',
    resumeEvent: 'bank.audit.resume',
  });
  let recallAt = 0;

  async function recallWhenDue(): Promise<void> {
    if (performance.now() < recallAt) return;
    auditor.recall(await recall());
    recallAt = performance.now() + recallMs;
  }

  async function publish(): Promise<void> {
    await recallWhenDue();
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
  await runBeat(publishMs, signal, publish, { maxDelayMs: 5_000, onError: (error) => outage.failed(error) });
}
