import { isLendingError, toWireError } from '@lending/errors';
import type { EventName, LogFields, Logger } from './logger.ts';

/** What goes on failing is said again so often, with how many lines were kept back. */
const AGAIN_MS = 60_000;

interface Heard {
  saidMs: number;
  keptBack: number;
}

/**
 * A logger for the doors. While the database or a node is away every request fails for the same reason, thousands of lines a minute: of
 * failures that pass by themselves, one line a minute is written of each event, code and `reason`. What does not pass, such as a fault of
 * our own, is written each time, and so is everything that is no error or warning.
 */
export function quietOutages(logger: Logger, nowMs: () => number = () => performance.now()): Logger {
  const heard = new Map<string, Heard>();

  function said(level: 'warn' | 'error', event: EventName, fields: LogFields): void {
    const key = keyOf(event, fields);
    const known = key === null ? undefined : heard.get(key);
    if (known !== undefined && nowMs() - known.saidMs < AGAIN_MS) {
      known.keptBack += 1;
      logger.debug(event, fields);
      return;
    }
    if (key !== null) heard.set(key, { saidMs: nowMs(), keptBack: 0 });
    logger[level](event, known?.keptBack ? { ...fields, kept_back: known.keptBack } : fields);
  }

  return {
    debug: (event, fields) => logger.debug(event, fields),
    info: (event, fields) => logger.info(event, fields),
    warn: (event, fields = {}) => said('warn', event, fields),
    error: (event, fields = {}) => said('error', event, fields),
    child: (fields) => quietOutages(logger.child(fields), nowMs),
  };
}

/** What makes two lines the same; null for what is to be written each time. */
function keyOf(event: EventName, { error, reason, aggregator }: LogFields): string | null {
  if (isLendingError(error))
    return toWireError(error).code === 'UPSTREAM_UNAVAILABLE' ? `${event} ${error.code}` : null;
  return error === undefined && typeof reason === 'string' ? `${event} ${aggregator ?? ''} ${reason}` : null;
}
