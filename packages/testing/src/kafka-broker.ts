import type { KafkaBroker } from './kafka/broker.ts';
import type { JavaBrokerOptions } from './kafka/java.ts';
import { findKafkaRuntime, KAFKA_NEEDS } from './kafka/runtime.ts';

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

/** Starts one on the machine's Java whatever else there is, on a disk and behind a network of the test's choice. */
export async function startExposedKafkaBroker(options: JavaBrokerOptions): Promise<KafkaBroker> {
  const { startJavaBroker } = await import('./kafka/java.ts');
  return startJavaBroker(options);
}
