import { LendingError } from '@lending/errors';
import { deadTopicOf, encodeMessage, isTopic, type Message } from '@lending/events';
import { traceHeaders } from '@lending/tracing';
import type { DeadLetter } from './bus.ts';

/** A record as it goes into the log, on a topic or a dead topic. */
export interface NewRecord {
  readonly topic: string;
  readonly key: string | null;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>> | null;
}

/** A record as it was read. `value` is null where a foreign producer wrote none. */
export interface LogRecord {
  readonly offset: bigint;
  readonly key: string | null;
  readonly value: string | null;
  /** The trace that it was published in, as it says itself; null where it was in none. */
  readonly traceparent: string | null;
}

/** @throws BUS__TOPIC_NOT_FOUND */
export function messageRecord(message: Message): NewRecord {
  if (!isTopic(message.type)) {
    throw new LendingError('BUS__TOPIC_NOT_FOUND', { message: `there is no topic ${JSON.stringify(message.type)}` });
  }
  return { topic: message.type, key: message.key, value: encodeMessage(message), headers: traceHeaders(message) };
}

/** The dead letter keeps key and value as they were, so that it can be published again; the rest is in headers. */
export function deadRecord(letter: DeadLetter): NewRecord {
  return {
    topic: deadTopicOf(letter.topic),
    key: letter.key,
    value: letter.value,
    headers: {
      reason: letter.reason,
      topic: letter.topic,
      partition: String(letter.partition),
      offset: String(letter.offset),
    },
  };
}
