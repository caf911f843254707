import { taking } from './accepted-json.ts';
import { aboveToAgents, tokenAmount } from './amount-input.ts';
import type { JsonSchema } from './json-schema.ts';

export const LEVERAGE_ALLOWED = 'a number above 1, with at most 6 decimals';

/** Leverage as decimal text, which nothing was lost of: what is supplied is amount × leverage to the unit. */
export const leverageNumber = taking(
  tokenAmount.refine(
    // More than any pair allows is refused as that, with its maximum; beyond nine digits it is no leverage.
    (text) => /^\d{1,9}(\.\d{1,6})?$/.test(text) && Number(text) > 1,
    { message: LEVERAGE_ALLOWED },
  ),
  { anyOf: [{ type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 1_000_000_000 }, textAboveOne(6)] },
  textAboveOne(6),
  aboveToAgents(1),
);

/** Decimal text above 1 with so many decimals at most, as a JSON Schema. */
export function textAboveOne(decimals: number): JsonSchema {
  const above = `(?:[2-9]|[1-9][0-9]{1,8})(?:\\.[0-9]{1,${decimals}})?`;
  return { type: 'string', pattern: `^(?:${above}|1\\.[0-9]{0,${decimals - 1}}[1-9])$` };
}
