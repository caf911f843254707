import type { Warning } from '#records/reply-fields.ts';
import { inputField, wordOf } from './input-field.ts';
import type { CallContext } from './tool.ts';

export type ResponseFormat = 'concise' | 'detailed';

const FORMATS = ['concise', 'detailed'] as const;

/** How much of a record an answer holds; agents' context is dear, a program's socket is not. */
export const responseFormatField = inputField(
  wordOf(FORMATS, { true: 'detailed', false: 'concise' }),
  'concise (default over MCP) or detailed (default over REST)',
  FORMATS.join(' or '),
);

export function formatFor(door: CallContext['door'], asked: ResponseFormat | undefined): ResponseFormat {
  return asked ?? (door === 'mcp' ? 'concise' : 'detailed');
}

/** Ceiling of one MCP answer: 8,000 tokens, measured at 2.76 characters each on addresses and numbers, and what is around the rows. */
const MCP_MAX_CHARACTERS = 22_000;
const FRAME_CHARACTERS = 2_000;

/** How many rows from the front fit an agent's answer; at least one, so that paging always moves. Over REST all do. */
export function countFitting(rows: readonly unknown[], door: CallContext['door']): number {
  if (door === 'rest') return rows.length;
  let characters = FRAME_CHARACTERS;
  for (const [index, row] of rows.entries()) {
    characters += JSON.stringify(row).length + 1;
    if (characters > MCP_MAX_CHARACTERS) return Math.max(1, index);
  }
  return rows.length;
}

/** An answer was cut to what fits; `filter` says what would make it fit. */
export function rowsTruncated(shown: number, wanted: number, noun: string, filter: string): Warning {
  return {
    level: 'warning',
    code: 'TRUNCATED',
    message: `Only ${shown} of ${wanted} ${noun} fit the answer — allowed: ${filter} — call again with it, or with next_cursor.`,
  };
}

/** Significant digits of figures in a concise answer; ratios and amounts stay whole. */
const CONCISE_DIGITS = 6;

/** Shortens every figure in USD or percent below a value. Detailed answers are never shortened, nor amounts in tokens, nor ratios. */
export function shortenFigures<T>(value: T): T {
  if (Array.isArray(value)) return value.map(shortenFigures) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'number' && /_(usd|pct|maint|init)$/.test(name)
        ? Number(inner.toPrecision(CONCISE_DIGITS))
        : shortenFigures(inner),
    ]),
  ) as T;
}
