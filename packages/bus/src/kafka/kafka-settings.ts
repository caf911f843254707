import type { LogSettings } from '#bus-options.ts';

export interface KafkaBusConfig extends Partial<LogSettings> {
  /** `host:port` of one or more brokers. */
  readonly brokers: readonly string[];
  /** How this process is called in the brokers' logs. Default `lending`. */
  readonly clientId?: string;
  /** Copies of each partition for topics created here. Default: as many as there are brokers, 3 at most. */
  readonly replicationFactor?: number;
}

/** Time in which a started request is answered or given up, ms. */
export const REQUEST_TIMEOUT_MS = 5_000;
export const CONNECTION_TIMEOUT_MS = 3_000;
