import { z } from 'zod';
import { describeAsOf, type Reading } from '#reads/as-of.ts';
import { readLimitPage } from '#reads/limit-history.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { CURSOR_ALLOWED, decodeCursor, encodeCursor } from './cursor.ts';
import { inputField, numberOrText } from './input-field.ts';
import type { CallContext } from './tool.ts';
import { LOCAL_CHAIN } from './warnings.ts';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 20;

/** What every limit history can be asked, besides whose it is. */
export const limitsInput = {
  limit: inputField(
    numberOrText(z.int().min(1).max(MAX_LIMIT)),
    `Entries a page. Default ${DEFAULT_LIMIT}`,
    `a whole number from 1 to ${MAX_LIMIT}`,
  ),
  cursor: inputField(z.string().max(400), 'next_cursor of the page before', CURSOR_ALLOWED),
};

const limitsQuerySchema = z.strictObject(limitsInput);

/** A slot as text: it may pass what a float holds. */
const cursorPosition = z.tuple([z.string().regex(/^\d{1,18}$/)]);

/** Whose limits are asked for. */
export interface LimitsOf {
  readonly address: string;
  readonly decimals: number;
  readonly reading: Reading;
}

/**
 * One page of a limit history: what a reply is made of, besides whose it is.
 * @throws TOOL__INPUT_INVALID when the cursor is no cursor of ours, or one of another bank or reserve.
 */
export async function answerLimits(
  reads: ReadDeps,
  { address, decimals, reading }: LimitsOf,
  query: z.infer<typeof limitsQuerySchema>,
  { callName }: CallContext,
) {
  const before =
    query.cursor === undefined ? null : BigInt(decodeCursor(query.cursor, cursorPosition, address, callName)[0]);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const { limits, nextBefore } = await readLimitPage(reads.store, { address, decimals, limit, before });
  return {
    limits: [...limits],
    count: limits.length,
    next_cursor: nextBefore === null ? null : encodeCursor([nextBefore.toString()], address),
    // Limits are published when they change: they are old without being outdated.
    as_of: describeAsOf({ ...reading, kind: 'configuration' }, reads.now(), reads.staleAfterMs),
    warnings: reading.source === 'localnet' ? [LOCAL_CHAIN] : [],
  };
}
