/** A real Kafka broker of a test's own, on 127.0.0.1. */
export interface KafkaBroker {
  /** `host:port`, as clients take it. */
  readonly brokers: readonly string[];
  /** Makes the broker stop answering: a process is killed, a container frozen. The data stays; `resume` brings it back. */
  interrupt(): Promise<void>;
  /** Resolves when the broker answers again, at the same address. */
  resume(): Promise<void>;
  /** Ends the broker and removes its data. */
  stop(): Promise<void>;
}
