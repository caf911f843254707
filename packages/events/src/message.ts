import { LendingError } from '@lending/errors';
import { z } from 'zod';
import { slotField, timeField } from './fields.ts';
import { isPlainRateSampled } from './plain-message.ts';
import { type EventOf, TOPICS, type Topic } from './topics.ts';

/** Who saw it: a chain, or the local chain that stands in for one. */
export type MessageSource = 'chain' | 'localnet';

/** One record on a topic. The wrapper is the same for every event; `payload` is the topic's own. */
export interface Message<T extends Topic = Topic> {
  /** Natural key, stable across retries: `<topic>:<key>:<slot>`, and `:<part>` where one slot has several. */
  readonly id: string;
  readonly type: T;
  readonly key: string;
  /** Slot of the oldest account that went into the payload. */
  readonly slot: bigint;
  /** Chain time of that slot, from the clock account read with it. ISO-8601 UTC. */
  readonly time: string;
  readonly source: MessageSource;
  readonly payload: EventOf<T>;
}

const wrapperSchema = z.object({
  id: z.string().min(1).max(300),
  type: z.string(),
  key: z.string().min(1).max(100),
  slot: slotField,
  time: timeField,
  source: z.enum(['chain', 'localnet']),
  payload: z.unknown(),
});

/**
 * The id of a message: what happened to whom at which slot, and which part of it where it takes several messages. The same event
 * published twice has the same id.
 */
export function messageId(topic: Topic, key: string, slot: bigint, part?: string): string {
  return part === undefined ? `${topic}:${key}:${slot}` : `${topic}:${key}:${slot}:${part}`;
}

/**
 * The message of one event, as of a slot and that slot's clock (unix seconds).
 * @throws DECODE__VALUE_OUT_OF_RANGE for a time that no calendar has: a clock account cannot hold one.
 */
export function createMessage<T extends Topic>(facts: {
  readonly topic: T;
  readonly key: string;
  readonly slot: bigint;
  readonly unixTimestamp: bigint;
  readonly source: MessageSource;
  /** Tells the messages of one key and slot apart, where there are several. */
  readonly part?: string;
  readonly payload: EventOf<T>;
}): Message<T> {
  const { topic, key, slot, unixTimestamp, source, part, payload } = facts;
  const id = messageId(topic, key, slot, part);
  return { id, type: topic, key, slot, time: toTime(unixTimestamp), source, payload };
}

/** Years 1970 to 9999: what ISO-8601 writes with four digits. */
const MAX_UNIX_TIMESTAMP = 253_402_300_799n;

/**
 * Chain seconds as ISO-8601 UTC.
 * @throws DECODE__VALUE_OUT_OF_RANGE outside 1970 to 9999.
 */
export function toTime(unixTimestamp: bigint): string {
  if (unixTimestamp < 0n || unixTimestamp > MAX_UNIX_TIMESTAMP) {
    throw new LendingError('DECODE__VALUE_OUT_OF_RANGE', {
      message: `${unixTimestamp} is no time in seconds since 1970`,
    });
  }
  return new Date(Number(unixTimestamp) * 1000).toISOString();
}

/** JSON text for the wire; the slot travels as text because u64 does not fit a JSON number. */
export function encodeMessage(message: Message): string {
  return JSON.stringify({ ...message, slot: message.slot.toString() });
}

/**
 * Reads a record of `topic`, whatever wrote it: fields that are not known here, of whoever runs a newer version beside us, are left out.
 * @throws BUS__MESSAGE_MALFORMED naming the first field that is wrong.
 */
export function decodeMessage<T extends Topic>(topic: T, text: string): Message<T> {
  const record = parseJson(topic, text);
  if (topic === 'rate.sampled.v1' && isPlainRateSampled(record)) return toMessage(topic, record as Wrapper);
  const wrapper = parse(topic, wrapperSchema, record);
  if (wrapper.type !== topic) throw malformed(topic, `type is ${JSON.stringify(wrapper.type.slice(0, 60))}`);
  const payload = parse<unknown>(topic, TOPICS[topic].payload, wrapper.payload);
  return toMessage(topic, { ...wrapper, payload });
}

type Wrapper = z.infer<typeof wrapperSchema>;

function toMessage<T extends Topic>(topic: T, { id, key, slot, time, source, payload }: Wrapper): Message<T> {
  return { id, type: topic, key, slot: BigInt(slot), time, source, payload: payload as EventOf<T> };
}

function parseJson(topic: Topic, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(topic, 'it is not JSON', cause);
  }
}

function parse<S>(topic: Topic, schema: z.ZodType<S>, value: unknown): S {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw malformed(topic, `${issue?.path.join('.') || 'message'}: ${issue?.message ?? 'not valid'}`, result.error);
}

function malformed(topic: Topic, reason: string, cause?: unknown): LendingError {
  return new LendingError('BUS__MESSAGE_MALFORMED', {
    message: `${topic}: ${reason}`,
    context: { topic, reason },
    cause,
  });
}
