import { z } from 'zod';

const isoTime = z.union([
  z.iso.datetime({ offset: true }),
  // Without seconds.
  z.iso.datetime({ offset: true, precision: -1 }),
  z.iso.date(),
]);

/** What a caller may write for a time. A plain text to agents: the pattern would cost them more than the rest of the tool. */
export const timeText = z.string().refine((text) => isoTime.safeParse(text).success);
export const TIME_ALLOWED = 'an ISO-8601 time with its zone, such as 2026-11-01T00:00:00Z, or a date';
