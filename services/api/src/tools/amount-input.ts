import { z } from 'zod';
import { taking } from './accepted-json.ts';
import type { JsonSchema } from './json-schema.ts';

/** A float holds no more decimal digits than this for certain. */
const SURE_DIGITS = 15;
const MOST_CHARACTERS = 60;

export const AMOUNT_ALLOWED = 'tokens above 0: a number, or decimal text such as "1.5"';

/** Decimal text with a digit above 0 in it. */
const AMOUNT_TEXT = {
  type: 'string',
  maxLength: MOST_CHARACTERS,
  pattern: '^(?:0*[1-9][0-9]*(?:\\.[0-9]*)?|0*\\.0*[1-9][0-9]*)$',
} as const;
const AMOUNT_IN_BODY = { anyOf: [{ type: 'number', exclusiveMinimum: 0 }, AMOUNT_TEXT] };

/** An amount of tokens as it was asked for. Both are decimal text. */
export interface AskedAmount {
  /** What is meant: text as it stands, of a JSON number the digits that a float is sure of. */
  readonly text: string;
  /** The number as it came, its shortest decimal; null where it came as text. */
  readonly number: string | null;
}

export const askedAmount = taking(
  z.union([z.number(), z.string()]).transform((value, context): AskedAmount => {
    const number = typeof value === 'number' ? textOfNumber(String(value)) : null;
    const text = typeof value === 'number' ? textOfNumber(value.toPrecision(SURE_DIGITS)) : textOfDecimal(value);
    if (text !== null && /[1-9]/.test(text)) return { text, number };
    context.addIssue({ code: 'custom', message: AMOUNT_ALLOWED });
    return z.NEVER;
  }),
  AMOUNT_IN_BODY,
  AMOUNT_TEXT,
  aboveToAgents(0),
);

/** The same where what is meant is enough, as decimal text. */
export const tokenAmount = taking(
  askedAmount.transform(({ text }) => text),
  AMOUNT_IN_BODY,
  AMOUNT_TEXT,
  aboveToAgents(0),
);

/** A number above so much, or its text, as agents are shown it. */
export function aboveToAgents(least: number): JsonSchema {
  return {
    anyOf: [
      { type: 'number', exclusiveMinimum: least },
      { type: 'string', pattern: '^[0-9.]+$' },
    ],
  };
}

function textOfDecimal(value: string): string | null {
  const text = value.trim();
  if (text.length > MOST_CHARACTERS || !/^(\d+\.?\d*|\.\d+)$/.test(text)) return null;
  const [whole = '', decimals = ''] = text.split('.');
  return joined(whole, decimals);
}

/** What JavaScript writes of a number, without its exponent; null where it is negative, or none. */
function textOfNumber(written: string): string | null {
  const parts = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(written);
  if (parts === null) return null;
  const [, whole = '', decimals = '', exponent = '0'] = parts;
  const point = whole.length + Number(exponent);
  const padded = (whole + decimals).padStart(Math.max(0, -point) + whole.length + decimals.length, '0');
  const at = Math.max(0, point);
  return joined(padded.slice(0, at).padEnd(at, '0'), padded.slice(at));
}

/** Without zeros that say nothing: `1.50` and `01.5` are `1.5`. */
function joined(whole: string, decimals: string): string {
  const significant = decimals.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '') || '0'}${significant === '' ? '' : `.${significant}`}`;
}
