import { z } from 'zod';
import { HISTORY_FIELDS, HISTORY_FORMATS, INTERVALS } from '#records/history-fields.ts';
import { CURSOR_ALLOWED } from './cursor.ts';
import { inputField, nameList, wordOf } from './input-field.ts';
import { TIME_ALLOWED, timeText } from './time-input.ts';

/** What every history can be asked, besides whose it is. */
export const historyInput = {
  start: inputField(
    timeText,
    'First bucket, inclusive, ISO-8601, not in the future. Default: 1 hour (1m), 7 days (1h), 90 days (1d) before end',
    TIME_ALLOWED,
  ),
  end: inputField(
    timeText,
    'Up to here, exclusive, ISO-8601, later than start. Default: the newest data',
    TIME_ALLOWED,
  ),
  interval: inputField(
    wordOf(INTERVALS),
    'Bucket length. At most 24 hours of 1m and 90 days of 1h a call; the rest by next_cursor. Default 1h',
    INTERVALS.join(', '),
  ),
  fields: inputField(
    nameList(HISTORY_FIELDS),
    'Only these fields of each point; time is always there',
    HISTORY_FIELDS.join(', '),
  ),
  format: inputField(
    wordOf(HISTORY_FORMATS),
    'json: an object per point; columns: an array per field; csv: text, next_cursor in the header x-next-cursor. Default json',
    HISTORY_FORMATS.join(', '),
  ),
  cursor: inputField(
    z.string().max(400),
    'next_cursor of the page before, with the same start, end and interval',
    CURSOR_ALLOWED,
  ),
};

const historyQuerySchema = z.strictObject(historyInput);
export type HistoryQuery = z.infer<typeof historyQuerySchema>;
