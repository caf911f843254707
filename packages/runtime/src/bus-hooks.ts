import type { EventName, Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** Something the log between the services says of itself. */
export interface BusEvent {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly event: EventName;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
}

export interface BusHookParts {
  readonly onBuried: (letter: { readonly topic: string }) => void;
  readonly onEvent: (event: BusEvent) => void;
}

/** What every process does with what its log says: counts the messages set aside, and logs the rest. */
export function busHooks({ logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics }): BusHookParts {
  const buried = metrics.counter({ name: 'bus.message.bury', help: 'Messages set aside', labels: ['topic'] });
  return {
    onBuried: ({ topic }) => buried.inc({ topic }),
    onEvent: ({ level, event, facts, error }) =>
      logger[level](event, error === undefined ? facts : { ...facts, error }),
  };
}
