import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalid } from './parse-input.ts';

/**
 * A cursor says after which row the next page begins, and to which question it belongs. Opaque to callers; what comes back
 * is checked like any other input, and a cursor of another question is refused instead of giving a wrong page.
 */
export function encodeCursor(position: readonly unknown[], question: unknown): string {
  return Buffer.from(JSON.stringify([1, digest(question), ...position])).toString('base64url');
}

/**
 * @throws TOOL__INPUT_INVALID when the text is no cursor of ours, or one of another question.
 */
export function decodeCursor<T extends readonly [z.ZodType, ...z.ZodType[]]>(
  text: string,
  position: z.ZodTuple<T>,
  question: unknown,
  callName: string,
): z.output<z.ZodTuple<T>> {
  const parts = parseJson(Buffer.from(text, 'base64url').toString());
  const header = z.tuple([z.literal(1), z.string()]).safeParse(Array.isArray(parts) ? parts.slice(0, 2) : null);
  const rest = position.safeParse(Array.isArray(parts) ? parts.slice(2) : null);
  if (!header.success || !rest.success) {
    throw invalid('cursor is not one of this service', CURSOR_ALLOWED, callName, { field: 'cursor' });
  }
  if (header.data[1] !== digest(question)) {
    throw invalid('cursor belongs to another question', 'the same filters and sort as the page before', callName, {
      field: 'cursor',
    });
  }
  return rest.data;
}

export const CURSOR_ALLOWED = 'the next_cursor of the page before, or none for the first page';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function digest(question: unknown): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 8);
}
