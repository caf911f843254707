import { z } from 'zod';
import { taking } from './accepted-json.ts';
import type { JsonSchema } from './json-schema.ts';

/** A float holds no more decimal digits than this for certain. */
const MOST_NUMBER_DIGITS = 15;
const MOST_CHARACTERS = 60;

export const AMOUNT_ALLOWED = 'tokens above 0: a number of at most 15 digits, or decimal text such as "1.5"';

/** Decimal text with a digit above 0 in it. */
const AMOUNT_TEXT = {
  type: 'string',
  maxLength: MOST_CHARACTERS,
  pattern: '^(?:0*[1-9][0-9]*(?:\\.[0-9]*)?|0*\\.0*[1-9][0-9]*)$',
} as const;

/**
 * An amount of tokens as decimal text, which nothing was lost of. A JSON number is read as its shortest decimal; one of more digits than
 * a float is sure of has to come as text.
 */
export const tokenAmount = taking(
  z.union([z.number(), z.string()]).transform((value, context) => {
    const text = typeof value === 'number' ? textOfNumber(value) : textOfDecimal(value);
    if (text !== null && /[1-9]/.test(text)) return text;
    context.addIssue({ code: 'custom', message: AMOUNT_ALLOWED });
    return z.NEVER;
  }),
  { anyOf: [{ type: 'number', exclusiveMinimum: 0 }, AMOUNT_TEXT] },
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

function textOfNumber(value: number): string | null {
  const parts = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (parts === null) return null;
  const [, whole = '', decimals = '', exponent = '0'] = parts;
  const digits = (whole + decimals).replace(/^0+/, '').replace(/0+$/, '');
  if (digits.length > MOST_NUMBER_DIGITS) return null;
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
