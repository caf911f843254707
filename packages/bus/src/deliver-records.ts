import { isLendingError } from '@lending/errors';
import { decodeMessage, type Topic } from '@lending/events';
import type { ConsumeOptions, DeadLetter, Received, TopicPartition } from './bus.ts';
import type { LogRecord } from './log-record.ts';
import { inBatchSpan } from './message-spans.ts';

/** What delivering needs, the same for both adapters. */
export interface Delivery {
  readonly options: ConsumeOptions;
  readonly bury: (letter: DeadLetter) => Promise<void>;
}

/**
 * Hands consecutive records of one partition on: what cannot be decoded is buried first, so that nothing is lost if the
 * process dies between the two, then the rest is handled as one batch that ends past all of them.
 *
 * @param stored the consumer's offset, null when it had none
 * @param buried offset below which letters were already buried by this consumer; a re-read does not bury them again
 * @returns the batch's `nextOffset`
 */
export async function deliverRecords(
  partition: TopicPartition,
  records: readonly [LogRecord, ...LogRecord[]],
  stored: bigint | null,
  buried: BuriedMark,
  delivery: Delivery,
): Promise<bigint> {
  const { messages, letters } = decodeRecords(partition, records);
  for (const letter of delivery.options.skipMalformed === true ? [] : letters) {
    if (letter.offset < buried.below) continue;
    await delivery.bury(letter);
    buried.below = letter.offset + 1n;
  }
  const nextOffset = (records.at(-1) as LogRecord).offset + 1n;
  const { group, handle } = delivery.options;
  await inBatchSpan({ ...partition, group }, records, () =>
    handle({
      group,
      topic: partition.topic,
      partition: partition.partition,
      messages,
      fromOffset: stored ?? records[0].offset,
      nextOffset,
    }),
  );
  return nextOffset;
}

/** How far a partition's undecodable records were set aside. Dead letters are at least once: it does not survive the process. */
export interface BuriedMark {
  below: bigint;
}

interface Decoded {
  readonly messages: readonly Received[];
  readonly letters: readonly DeadLetter[];
}

function decodeRecords({ topic, partition }: TopicPartition, records: readonly LogRecord[]): Decoded {
  const messages: Received[] = [];
  const letters: DeadLetter[] = [];
  for (const { offset, key, value } of records) {
    const decoded = tryDecode(topic, value);
    if (decoded.kind === 'message') messages.push({ message: decoded.message, offset });
    else letters.push({ topic, partition, offset, key, value: value ?? '', reason: decoded.reason });
  }
  return { messages, letters };
}

type Attempt =
  | { readonly kind: 'message'; readonly message: Received['message'] }
  | { readonly kind: 'undecodable'; readonly reason: string };

function tryDecode(topic: Topic, value: string | null): Attempt {
  if (value === null) return { kind: 'undecodable', reason: `${topic}: it has no value` };
  try {
    return { kind: 'message', message: decodeMessage(topic, value) };
  } catch (error) {
    if (!isLendingError(error, 'BUS__MESSAGE_MALFORMED')) throw error;
    return { kind: 'undecodable', reason: error.message };
  }
}
