import { z } from 'zod';
import { describeAsOf, type Reading } from '#reads/as-of.ts';
import { type HistorySubject, readHistoryPage } from '#reads/rate-history.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import type { HistoryBody, Interval } from '#records/history-fields.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { readHistoryFields, toColumns, toCsv, toPoints } from './history-formats.ts';
import type { HistoryQuery } from './history-input.ts';
import { invalid } from './parse-input.ts';
import { type CallContext, TextReply } from './tool.ts';
import { dataStale, LOCAL_CHAIN } from './warnings.ts';

/** Where a page begins and the whole range ends, ms since 1970. */
const cursorPosition = z.tuple([z.int(), z.int()]);

/** Whose history is asked for. */
export interface HistoryOf {
  readonly subject: HistorySubject;
  /** Dates the answer. */
  readonly reading: Reading;
  /** The chain's newest known time, ms since 1970: where a range without an end stops. */
  readonly chainTimeMs: number;
}

/**
 * One page of a history, in the format that was asked for: what a JSON reply is made of, or CSV text.
 * @throws TOOL__INPUT_INVALID naming the field for a range that cannot be, an unknown field, or a cursor of another question.
 */
export async function answerHistory(
  reads: ReadDeps,
  { subject, reading, chainTimeMs }: HistoryOf,
  query: HistoryQuery,
  { callName }: CallContext,
): Promise<HistoryBody | TextReply> {
  const interval = query.interval ?? '1h';
  const fields = readHistoryFields(query.fields, callName);
  const nowMs = reads.now();
  const question = [subject.address, interval, query.start, query.end];
  const { startMs, endMs } = readRange(query, question, Math.max(nowMs, chainTimeMs), callName);
  const page = await readHistoryPage(reads.store, { subject, interval, startMs, endMs, chainTimeMs, nowMs });
  // The end is fixed by the first page: a default end would move between pages.
  const pageEndMs = endMs ?? chainTimeMs + 1;
  const nextCursor = page.nextStartMs === null ? null : encodeCursor([page.nextStartMs, pageEndMs], question);
  if (query.format === 'csv') {
    const headers = nextCursor === null ? {} : { 'x-next-cursor': nextCursor };
    return new TextReply('text/csv; charset=utf-8', toCsv(page.points, fields), headers);
  }
  const asOf = describeAsOf(reading, nowMs, reads.staleAfterMs);
  return {
    interval: interval satisfies Interval,
    count: page.points.length,
    ...(query.format === 'columns'
      ? { columns: toColumns(page.points, fields) }
      : { points: toPoints(page.points, fields) }),
    first_available: page.first?.toISOString() ?? null,
    last_available: page.last?.toISOString() ?? null,
    gap_count: page.points.filter(({ gap }) => gap).length,
    rolled_from: page.rolledFrom,
    next_cursor: nextCursor,
    as_of: asOf,
    warnings: [...dataStale(asOf), ...(reading.source === 'localnet' ? [LOCAL_CHAIN] : [])],
  };
}

function readRange(
  query: HistoryQuery,
  question: unknown,
  latestMs: number,
  callName: string,
): { readonly startMs: number | undefined; readonly endMs: number | undefined } {
  if (query.cursor !== undefined) {
    const [startMs, endMs] = decodeCursor(query.cursor, cursorPosition, question, callName);
    return { startMs, endMs };
  }
  const startMs = timeMs(query.start);
  const endMs = timeMs(query.end);
  if (startMs !== undefined && startMs > latestMs) {
    throw invalid('start lies in the future', 'a start that is not later than now', callName, { field: 'start' });
  }
  if (startMs !== undefined && endMs !== undefined && endMs <= startMs) {
    throw invalid('end is not after start', 'an end later than start', callName, { field: 'end' });
  }
  return { startMs, endMs };
}

function timeMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
