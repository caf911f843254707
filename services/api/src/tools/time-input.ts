import { z } from 'zod';
import { taking } from './accepted-json.ts';

const isoTime = z.union([
  z.iso.datetime({ offset: true }),
  // Without seconds.
  z.iso.datetime({ offset: true, precision: -1 }),
  z.iso.date(),
]);

const MINUTES = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?:Z|[+-][0-9]{2}:[0-9]{2})$';

/** What a caller may write for a time. A plain text to agents: the pattern would cost them more than the rest of the tool. */
export const timeText = taking(
  z.string().refine((text) => isoTime.safeParse(text).success),
  { type: 'string', anyOf: [{ format: 'date-time' }, { format: 'date' }, { pattern: MINUTES }] },
);
export const TIME_ALLOWED = 'an ISO-8601 time with its zone, such as 2026-11-01T00:00:00Z, or a date';
