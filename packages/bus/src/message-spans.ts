import type { Message } from '@lending/events';
import { inChildSpan, inSpan, inTraceOf, linkOf } from '@lending/tracing';
import { type Link, SpanKind } from '@opentelemetry/api';
import type { TopicPartition } from './bus.ts';
import type { LogRecord } from './log-record.ts';

const SCOPE = 'lending.bus';
/** A batch may hold messages of as many traces as it has messages: it points at some. */
const MAX_LINKS = 32;

/** Publishing, in the trace in which the first of the messages was made. */
export function inPublishSpan<T>(messages: readonly Message[], publish: () => Promise<T>): Promise<T> {
  const topics = () => [...new Set(messages.map(({ type }) => type))].sort();
  return inTraceOf(messages[0], () =>
    inChildSpan(
      SCOPE,
      () => ({
        name: `publish ${topics().length === 1 ? topics()[0] : 'several topics'}`,
        kind: SpanKind.PRODUCER,
        attributes: {
          'messaging.operation.type': 'send',
          'messaging.destination.name': topics().join(' '),
          'messaging.batch.message_count': messages.length,
        },
      }),
      publish,
    ),
  );
}

/**
 * What is made of a batch: the first of a trace of its own, which points at those that its messages were published in. A batch has many, and a trace
 * that goes on for as long as messages are read again would never end.
 */
export function inBatchSpan<T>(
  partition: TopicPartition & { readonly group: string },
  records: readonly LogRecord[],
  handle: () => Promise<T>,
): Promise<T> {
  const links = linksOf(records);
  if (links.length === 0) return handle();
  return inSpan(
    SCOPE,
    {
      name: `process ${partition.topic}`,
      kind: SpanKind.CONSUMER,
      root: true,
      links,
      attributes: {
        'messaging.operation.type': 'process',
        'messaging.destination.name': partition.topic,
        'messaging.destination.partition.id': String(partition.partition),
        'messaging.consumer.group.name': partition.group,
        'messaging.batch.message_count': records.length,
      },
    },
    handle,
  );
}

function linksOf(records: readonly LogRecord[]): Link[] {
  const named = new Set<string>();
  for (const { traceparent } of records) {
    if (traceparent !== null && named.size < MAX_LINKS) named.add(traceparent);
  }
  return [...named].flatMap((traceparent) => linkOf(traceparent) ?? []);
}
