import { findKafkaRuntime, KAFKA_NEEDS } from './kafka/runtime.ts';

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

/**
 * Starts one: in a container where a Docker engine answers, else Apache Kafka from Maven Central on the machine's Java, whose
 * jars are fetched once. Where neither is there it fails; ask `findKafkaRuntime` first to skip by name instead.
 */
export async function startKafkaBroker(): Promise<KafkaBroker> {
  const runtime = await findKafkaRuntime();
  switch (runtime) {
    case 'docker': {
      const { startContainerBroker } = await import('./kafka/container.ts');
      return startContainerBroker();
    }
    case 'java': {
      const { startJavaBroker } = await import('./kafka/java.ts');
      return startJavaBroker();
    }
    case null:
      throw new Error(`A Kafka broker ${KAFKA_NEEDS}`);
    default:
      return runtime satisfies never;
  }
}
