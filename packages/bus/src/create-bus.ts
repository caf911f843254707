import type { Bus } from './bus.ts';
import type { BusOptions } from './bus-options.ts';
import type { EmbeddedLogConfig } from './embedded-log/embedded-log.ts';
import type { KafkaBusConfig } from './kafka/kafka-bus.ts';

export type BusConfig =
  | ({ readonly kind: 'embedded' } & EmbeddedLogConfig)
  | ({ readonly kind: 'kafka' } & KafkaBusConfig);

/**
 * Opens the log between the services and creates the topics that are missing.
 * The adapter is loaded when it is chosen: the embedded shape never loads kafkajs, the services never open the log's pool.
 * @throws BUS__UNAVAILABLE when the log does not answer within `startTimeoutMs`
 */
export async function createBus(config: BusConfig, options: BusOptions = {}): Promise<Bus> {
  switch (config.kind) {
    case 'embedded': {
      const { createEmbeddedLog } = await import('./embedded-log/embedded-log.ts');
      return createEmbeddedLog(config, options);
    }
    case 'kafka': {
      const { createKafkaBus } = await import('./kafka/kafka-bus.ts');
      return createKafkaBus(config, options);
    }
    default:
      return config satisfies never;
  }
}
