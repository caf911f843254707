import { createMessage, type Message, type MessageSource, type RateSampled } from '@lending/events';
import type { Doubt, Sighting } from '#quarantine/judge-sample.ts';

const MAX_DETAIL_LENGTH = 200;

/** Whose reading is not believed, and of when. */
export interface DoubtedReading extends Pick<Sighting, 'slot' | 'unixTimestamp'> {
  readonly sample: Pick<RateSampled, 'bank' | 'venue'>;
}

/** The message of a sample that is not believed. */
export function toRateQuarantined(
  { slot, unixTimestamp, sample }: DoubtedReading,
  { reason, detail }: Doubt,
  source: MessageSource,
): Message<'rate.quarantined.v1'> {
  const payload = { bank: sample.bank, venue: sample.venue, reason, detail: detail.slice(0, MAX_DETAIL_LENGTH) };
  return createMessage({ topic: 'rate.quarantined.v1', key: sample.bank, slot, unixTimestamp, source, payload });
}
