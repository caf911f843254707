import { z } from 'zod';

/** What a caller may write for a time. */
export const timeText = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);
export const TIME_ALLOWED = 'an ISO-8601 time with its zone, such as 2026-11-01T00:00:00Z, or a date';
