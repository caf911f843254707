import { type Logger, runBeat } from '@lending/runtime';
import { readServiceStatus, rollUpDue, rollUpNext, type Store, settleRates } from '@lending/store';

const EVERY_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * How long after its end an hour is taken for complete. Samples that come later are not lost, they only cost more: their hour is
 * rolled up again.
 */
const SETTLE_MS = 300_000;

export interface RollUpOptions {
  readonly store: Store;
  readonly logger: Logger;
  /** How often it is looked whether an hour is over. Default: a minute. */
  readonly everyMs?: number;
}

/**
 * Rolls up rate samples into hours and days: what is over, and again what samples came late for. Several indexers take turns; a step
 * that is interrupted leaves nothing, and the next one goes on from there.
 */
export async function runRollUp({ store, logger, everyMs }: RollUpOptions, signal: AbortSignal): Promise<void> {
  await runBeat(everyMs ?? EVERY_MS, signal, () => rollUpAll({ store, logger }, signal), {
    onError: (error) => logger.warn('rate.hours.wait', { error }),
  });
}

/** Rolls up all there is to roll up now. */
export async function rollUpAll({ store: { db }, logger }: RollUpOptions, signal: AbortSignal): Promise<void> {
  const { newest_time: newest } = await readServiceStatus(db);
  if (newest === null) return;
  // Hours end in chain time, which is never later than it is: one sample from the far future would settle all hours until then.
  const now = Math.min(newest.getTime(), Date.now());
  await settleRates(db, new Date(Math.floor((now - SETTLE_MS) / HOUR_MS) * HOUR_MS));
  for (let step = await rollUpNext(db); step !== null && !signal.aborted; step = await rollUpNext(db)) {
    logger.info('rate.hours.roll', { from: step.from.toISOString(), to: step.to.toISOString(), rows: step.hours });
  }
  for (let again = await rollUpDue(db); again > 0 && !signal.aborted; again = await rollUpDue(db)) {
    logger.info('rate.hours.renew', { hours: again });
  }
}
