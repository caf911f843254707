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

/** How long an agent's answer may be in all, and how much of that is around the rows; characters. */
export interface AnswerLength {
  readonly most: number;
  readonly frame: number;
}

/** What an agent's answer may take: a page of the default length, and any. Tests count them with the o200k vocabulary. */
const DEFAULT_TOKENS = 3_000;
const MOST_TOKENS = 8_000;

/** The least that rows of real addresses and figures were measured at. */
const CHARACTERS_PER_TOKEN = 2.3;
const FRAME_CHARACTERS = 1_500;

/** Ceiling of one MCP answer. */
export const MCP_LENGTH: AnswerLength = { most: MOST_TOKENS * CHARACTERS_PER_TOKEN, frame: FRAME_CHARACTERS };

/** The same of an answer to whoever asks for nothing in particular. */
export const DEFAULT_LENGTH: AnswerLength = { most: DEFAULT_TOKENS * CHARACTERS_PER_TOKEN, frame: FRAME_CHARACTERS };

interface Room {
  takes(row: unknown): boolean;
  /** The same of a row that is JSON already. */
  takesText(text: string): boolean;
}

/** What is left of an agent's answer. The first row always fits, so that paging always moves; over REST all do. */
export function createRoom(door: CallContext['door'], { most, frame }: AnswerLength = MCP_LENGTH): Room {
  let characters = frame;
  let rows = 0;
  const takesText = (text: string) => {
    if (door === 'rest') return true;
    characters += text.length + 1;
    rows += 1;
    return rows === 1 || characters <= most;
  };
  return { takesText, takes: (row) => door === 'rest' || takesText(JSON.stringify(row)) };
}

/** How many rows from the front fit. */
export function countFitting(rows: readonly unknown[], door: CallContext['door'], length: AnswerLength): number {
  const room = createRoom(door, length);
  const over = rows.findIndex((row) => !room.takes(row));
  return over === -1 ? rows.length : over;
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
