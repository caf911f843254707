import type { Message, MessageSource } from '@lending/events';
import type { Metrics } from '@lending/runtime';
import { type DoubtedReading, toRateQuarantined } from '#publish/rate-quarantined.ts';
import type { Doubt } from './judge-sample.ts';

/** Counts what is not believed, and makes the message of it. */
export type SetAside = (reading: DoubtedReading, doubt: Doubt) => Message<'rate.quarantined.v1'>;

export function createSetAside(options: { readonly source: MessageSource; readonly metrics: Metrics }): SetAside {
  const quarantined = options.metrics.counter({
    name: 'rate.sample.quarantine',
    help: 'Samples that were read and not believed, and reserves that could not be read',
    labels: ['venue', 'reason'],
  });
  return (reading, doubt) => {
    quarantined.inc({ venue: reading.sample.venue, reason: doubt.reason });
    return toRateQuarantined(reading, doubt, options.source);
  };
}
