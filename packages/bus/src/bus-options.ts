import type { DeadLetter } from './bus.ts';

/** What happened, with facts for the log. `event` is `area.noun.verb`; `error` is whatever was thrown. */
export interface BusEvent {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: `${string}.${string}.${string}`;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
}

/** What both adapters take besides their connection. */
export interface BusOptions {
  /** Called once for each message set aside, after it is durable on its dead topic: the counter behind the metric. */
  readonly onBuried?: (letter: DeadLetter) => void;
  /** Where the bus tells what it waits for and retries. Default: nowhere. */
  readonly onEvent?: (event: BusEvent) => void;
  /** Aborts when the process stops: from then on a log that does not answer is waited for no longer than a stop may take. */
  readonly stopping?: AbortSignal;
}

/** Settings both adapters understand; the defaults are here, in milliseconds. */
export interface LogSettings {
  /** How long messages are kept. */
  readonly retentionMs: number;
  /** How long dead letters are kept: longer, because a person has to look at them. */
  readonly deadRetentionMs: number;
  /** A member that is silent for so long loses its partitions. */
  readonly sessionTimeoutMs: number;
  /** How often a member says that it is alive, and hears so late at most that another came or left. */
  readonly heartbeatMs: number;
  /** How long `publish` and `bury` wait for a log that does not answer. */
  readonly publishTimeoutMs: number;
  /** How long starting waits for the log to answer. */
  readonly startTimeoutMs: number;
}

const DAY_MS = 86_400_000;

export const LOG_DEFAULTS: LogSettings = {
  retentionMs: 7 * DAY_MS,
  deadRetentionMs: 30 * DAY_MS,
  sessionTimeoutMs: 10_000,
  heartbeatMs: 1_000,
  publishTimeoutMs: 10_000,
  startTimeoutMs: 15_000,
};
