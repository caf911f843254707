import { z } from 'zod';
import type { PoolSort, SortKey } from '#reads/pool-order.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { addressText } from './input-field.ts';

/** Every order but the alphabetical one goes by a figure; both have pools of which it is not known. */
const figurePosition = z.tuple([z.number().nullable(), addressText]);
const symbolPosition = z.tuple([z.string().nullable(), addressText]);

/** The place a page of banks or reserves ended at, as the caller hands it back for the next. */
export function writePoolCursor({ value, address }: SortKey, question: unknown): string {
  return encodeCursor([value, address], question);
}

/**
 * The place that a cursor names, or null without one.
 * @throws TOOL__INPUT_INVALID when the text is no cursor of ours, or one of another question.
 */
export function readPoolCursor(
  text: string | undefined,
  sort: PoolSort,
  question: unknown,
  callName: string,
): SortKey | null {
  if (text === undefined) return null;
  const [value, address] =
    sort === 'symbol'
      ? decodeCursor(text, symbolPosition, question, callName)
      : decodeCursor(text, figurePosition, question, callName);
  return { value, address };
}
