import { SAMPLE_HOLD_SECONDS } from '@lending/store';
import { z } from 'zod';
import { describeAsOf } from '#reads/as-of.ts';
import { findBank } from '#reads/find-bank.ts';
import { readHistoryPage } from '#reads/rate-history.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import {
  HISTORY_FIELDS,
  HISTORY_FORMATS,
  type HistoryField,
  type HistoryPoint,
  type HistoryReply,
  historyReplySchema,
  INTERVALS,
} from '#records/history-fields.ts';
import { CURSOR_ALLOWED, decodeCursor, encodeCursor } from './cursor.ts';
import { ADDRESS_ALLOWED, addressText, inputField, nameList, requiredField, wordOf } from './input-field.ts';
import { invalid } from './parse-input.ts';
import { type CallContext, defineOperation, type Operation, TextReply } from './tool.ts';
import { dataStale, LOCAL_CHAIN } from './warnings.ts';

const TIME_ALLOWED = 'an ISO-8601 time with its zone, such as 2026-11-01T00:00:00Z, or a date';
const timeText = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

const input = z.strictObject({
  bank: requiredField(addressText, 'Bank address', ADDRESS_ALLOWED),
  start: inputField(
    timeText,
    'First bucket, inclusive, ISO-8601. Default: 1 hour (1m), 7 days (1h), 90 days (1d) before end',
    TIME_ALLOWED,
  ),
  end: inputField(timeText, 'Up to here, exclusive, ISO-8601. Default: the newest data', TIME_ALLOWED),
  interval: inputField(
    wordOf(INTERVALS),
    'Bucket length. At most 24 hours of 1m and 90 days of 1h a call; the rest by next_cursor. Default 1h',
    INTERVALS.join(', '),
  ),
  fields: inputField(nameList, 'Only these fields of each point; time is always there', HISTORY_FIELDS.join(', ')),
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
});
type Input = z.infer<typeof input>;

const cursorPosition = z.tuple([z.int(), z.int()]);

/** Rates of one bank over time. */
export function createGetBankHistory(reads: ReadDeps): Operation {
  return defineOperation({
    name: 'get_bank_history',
    title: 'Rate history of a bank',
    description:
      'Rates, sizes and price of one bank in buckets of a minute, an hour or a day (UTC). A bucket without a sample is a gap with nulls; ' +
      `nothing is carried forward. Means are weighed by the time each sample spoke for, ${SAMPLE_HOLD_SECONDS} s at most.`,
    rest: { method: 'GET', path: '/v1/banks/:bank/history' },
    errors: ['BANK_NOT_FOUND'],
    otherMediaTypes: ['text/csv'],
    input,
    output: historyReplySchema,
    async handle(query: Input, context: CallContext) {
      const snapshot = await reads.banks.get();
      const { record, reading } = findBank(snapshot, query.bank);
      const interval = query.interval ?? '1h';
      const fields = readFields(query.fields, context.callName);
      const question = [query.bank, interval, query.start, query.end];
      const resumed =
        query.cursor === undefined ? null : decodeCursor(query.cursor, cursorPosition, question, context.callName);
      const [startMs, endMs] = resumed ?? [timeMs(query.start), timeMs(query.end)];
      if (startMs !== undefined && endMs !== undefined && endMs <= startMs) {
        throw invalid('end is not after start', 'an end later than start', context.callName, { field: 'end' });
      }
      const nowMs = reads.now();
      const page = await readHistoryPage(reads.store, {
        bank: query.bank,
        decimals: record.decimals,
        interval,
        startMs,
        endMs,
        chainTimeMs: snapshot.chainTimeMs,
        nowMs,
      });
      // The end is fixed by the first page: a default end would move between pages.
      const pageEndMs = endMs ?? snapshot.chainTimeMs + 1;
      const nextCursor = page.nextStartMs === null ? null : encodeCursor([page.nextStartMs, pageEndMs], question);
      if (query.format === 'csv') {
        return new TextReply(
          'text/csv; charset=utf-8',
          toCsv(page.points, fields),
          nextCursor === null ? {} : { 'x-next-cursor': nextCursor },
        );
      }
      const asOf = describeAsOf(reading, nowMs, reads.staleAfterMs);
      return {
        bank: record.address,
        venue: record.venue,
        symbol: record.symbol,
        interval,
        count: page.points.length,
        ...(query.format === 'columns'
          ? { columns: toColumns(page.points, fields) }
          : { points: page.points.map((point) => pick(point, fields)) }),
        first_available: page.span.first?.toISOString() ?? null,
        last_available: page.span.last?.toISOString() ?? null,
        gap_count: page.points.filter(({ gap }) => gap).length,
        rolled_from: 'raw',
        next_cursor: nextCursor,
        as_of: asOf,
        warnings: [...dataStale(asOf), ...(reading.source === 'localnet' ? [LOCAL_CHAIN] : [])],
      } satisfies HistoryReply;
    },
  });
}

function timeMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

function readFields(names: readonly string[] | undefined, callName: string): readonly HistoryField[] {
  if (names === undefined) return HISTORY_FIELDS;
  if (names.some((name) => !HISTORY_FIELDS.includes(name as HistoryField))) {
    throw invalid('fields names a field that does not exist', HISTORY_FIELDS.join(', '), callName, {
      field: 'fields',
      allowed_fields: HISTORY_FIELDS,
    });
  }
  return HISTORY_FIELDS.filter((field) => field === 'time' || names.includes(field));
}

function pick(point: HistoryPoint, fields: readonly HistoryField[]): Partial<HistoryPoint> {
  return Object.fromEntries(fields.map((field) => [field, point[field]]));
}

function toColumns(
  points: readonly HistoryPoint[],
  fields: readonly HistoryField[],
): NonNullable<HistoryReply['columns']> {
  return Object.fromEntries(fields.map((field) => [field, points.map((point) => point[field])]));
}

/** No value holds a comma or a quote: numbers, times, words. An unknown value is an empty cell. */
function toCsv(points: readonly HistoryPoint[], fields: readonly HistoryField[]): string {
  const lines = points.map((point) => fields.map((field) => point[field] ?? '').join(','));
  return `${[fields.join(','), ...lines].join('\n')}\n`;
}
