/** A real Kafka broker of a test's own, on 127.0.0.1. */
export interface KafkaBroker {
  /** `host:port`, as clients take it. */
  readonly brokers: readonly string[];
  /** Kills the broker. The data stays; `resume` starts it again. */
  interrupt(): Promise<void>;
  /** Resolves when the broker answers again, at the same address. */
  resume(): Promise<void>;
  /** Ends the broker and removes its data. */
  stop(): Promise<void>;
}
