import type { Bus } from '@lending/bus';
import type { MessageSource } from '@lending/events';
import { createOutage, type Logger, type Readiness, runBeat } from '@lending/runtime';
import type { Slot } from '@solana/kit';
import { toBankAudited } from '#publish/bank-audited.ts';
import type { Auditor } from './auditor.ts';

export interface RunAuditOptions {
  readonly bus: Pick<Bus, 'publish'>;
  readonly source: MessageSource;
  /** Unix seconds of a slot. */
  readonly timeOf: (slot: Slot) => bigint;
  readonly logger: Logger;
  readonly readiness: Readiness;
}

const PUBLISH_MS = 1_000;

/** Publishes what the auditor found, the newest of each figure once a second, until the signal aborts. */
export async function runAudit(auditor: Auditor, options: RunAuditOptions, signal: AbortSignal): Promise<void> {
  const { bus, source, timeOf, logger, readiness } = options;
  const outage = createOutage({
    component: readiness.component('bank-audit'),
    logger,
    failEvent: 'bank.audit.fail',
    resumeEvent: 'bank.audit.resume',
  });
  async function publish(): Promise<void> {
    const rows = auditor.take();
    try {
      if (rows.length > 0) await bus.publish(rows.map((row) => toBankAudited(row, timeOf(row.slot), source)));
      outage.recovered();
    } catch (error) {
      auditor.putBack(rows);
      throw error;
    }
  }
  await runBeat(PUBLISH_MS, signal, publish, { maxDelayMs: 5_000, onError: (error) => outage.failed(error) });
}
