import type { Kafka as KafkaClient } from 'kafkajs';
import type { BusOptions } from '#bus-options.ts';
import { CONNECTION_TIMEOUT_MS, type KafkaBusConfig, REQUEST_TIMEOUT_MS } from './kafka-settings.ts';
import { Kafka, logLevel } from './kafkajs.ts';
import { createOncePerOutage } from './once-per-outage.ts';
import { quietTimerWarning } from './quiet-timer-warning.ts';

/** kafkajs says so of every idempotent producer that does not retry for ever; `KafkaProducer` says why ours need not. */
const LIMITED_RETRIES = 'Limiting retries for the idempotent producer';

/** A kafkajs client that times out, backs off and logs as we do. */
export function createClient(config: KafkaBusConfig, onEvent: BusOptions['onEvent']): KafkaClient {
  quietTimerWarning();
  const isNews = createOncePerOutage();
  return new Kafka({
    clientId: config.clientId ?? 'lending',
    brokers: [...config.brokers],
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    enforceRequestTimeout: true,
    // Under a second of trying: whoever calls repeats within its own deadline.
    retry: { initialRetryTime: 100, maxRetryTime: 2_000, multiplier: 2, factor: 0.2, retries: 3 },
    logLevel: logLevel.WARN,
    logCreator:
      () =>
      ({ namespace, log }) => {
        if (log.message.startsWith(LIMITED_RETRIES) || !isNews({ ...log, namespace })) return;
        const { message, timestamp: _timestamp, logger: _logger, ...facts } = log;
        onEvent?.({
          // What kafkajs calls an error is tried again, by it or by us; what fails for good is reported where it fails.
          level: 'warn',
          event: 'bus.kafka.said',
          facts: { namespace, message, ...facts },
        });
      },
  });
}
