import { createMessage, type Message, type MessageSource } from '@lending/events';
import type { Sighting } from '#quarantine/judge-sample.ts';

/** The message of one sample. */
export function toRateSampled(sighting: Sighting, source: MessageSource): Message<'rate.sampled.v1'> {
  const { slot, unixTimestamp, sample } = sighting;
  return createMessage({ topic: 'rate.sampled.v1', key: sample.bank, slot, unixTimestamp, source, payload: sample });
}
