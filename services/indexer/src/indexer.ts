import { runLagMeasuring } from '#project/measure-lag.ts';
import { runProjector } from '#project/projector.ts';
import { runRetention } from '#project/retention.ts';
import { runRollUp } from '#project/roll-up.ts';
import { runLapseOfFollows } from './lapse-follows.ts';
import { type RunIndexingOptions, runIndexing } from './run-indexing.ts';

export interface IndexerOptions extends RunIndexingOptions {
  readonly rawSampleDays: number;
  readonly rateHourDays: number;
  /** How often it is looked whether an hour is over, in milliseconds; default: a minute. */
  readonly rollUpMs?: number;
}

/**
 * Watches banks, accounts, activity and wallets, projects the topics and measures what waits in them, rolls up rates, drops what is too
 * old. Resolves when the signal aborts and all stand still.
 */
export async function runIndexer(options: IndexerOptions, signal: AbortSignal): Promise<void> {
  const { store, rollUpMs, logger } = options;
  await Promise.all([
    runIndexing(options, signal),
    runLapseOfFollows(options, signal),
    runProjector(options, signal),
    runLagMeasuring(options, signal),
    runRollUp({ store, logger, ...(rollUpMs !== undefined && { everyMs: rollUpMs }) }, signal),
    runRetention(options, signal),
  ]);
}
