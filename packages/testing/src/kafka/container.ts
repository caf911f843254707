import { KafkaContainer } from '@testcontainers/kafka';
import { getContainerRuntimeClient } from 'testcontainers';
import type { KafkaBroker } from './broker.ts';
import { brokerSettings } from './settings.ts';

/** Kafka 4.0 in Confluent's packaging, which is what the container class knows how to configure. */
const IMAGE = 'confluentinc/cp-kafka:8.0.0';
/** The container class's listener for clients outside. */
const CLIENT_PORT = 9093;

export async function startContainerBroker(): Promise<KafkaBroker> {
  const container = await new KafkaContainer(IMAGE)
    .withKraft()
    .withEnvironment(toEnvironment(brokerSettings()))
    .start();
  const client = await getContainerRuntimeClient();
  const handle = client.container.getById(container.getId());
  return {
    brokers: [`${container.getHost()}:${container.getMappedPort(CLIENT_PORT)}`],
    interrupt: async () => {
      await handle.pause();
    },
    resume: async () => {
      await handle.unpause();
    },
    stop: async () => {
      await container.stop();
    },
  };
}

/** The image's spelling of a setting: `log.dirs` → `KAFKA_LOG_DIRS`. */
function toEnvironment(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`KAFKA_${name.toUpperCase().replaceAll('.', '_')}`, value]),
  );
}
