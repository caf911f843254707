import type { KafkaBroker } from './kafka/broker.ts';
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
