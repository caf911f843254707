import { z } from 'zod';
import type { AggregatorKeys } from '#builds/aggregator-keys.ts';
import { taking } from './accepted-json.ts';
import { invalid } from './parse-input.ts';

/** Headers of a caller's own keys; where several name one aggregator, the first that is there counts. */
const HEADERS = {
  jupiter: ['x-aggregator1-api-key', 'x-jupiter-api-key'],
  dflow: ['x-aggregator2-api-key'],
} as const satisfies Record<keyof AggregatorKeys, readonly string[]>;

/** All that may carry a key: no value of theirs is kept, and pages of any origin may send them. */
export const AGGREGATOR_KEY_HEADERS: readonly string[] = Object.values(HEADERS).flat();

const KEY = /^[\x21-\x7e]{1,500}$/;
const KEY_ALLOWED = 'one key: up to 500 printable ASCII characters without blanks';

/** The headers as the OpenAPI page shows them. */
const keyHeader = taking(z.string(), { type: 'string', pattern: '^[!-~]{0,500}$' });
export const aggregatorKeyHeaders = z.object({
  'x-aggregator1-api-key': keyHeader.optional().describe('Your Jupiter key, for this request; never kept'),
  'x-jupiter-api-key': keyHeader.optional().describe('The same by its other name'),
  'x-aggregator2-api-key': keyHeader.optional().describe('Your DFlow key, for this request; never kept'),
});

/**
 * A caller's keys out of a request's headers; an empty one is none.
 * @throws TOOL__INPUT_INVALID naming the header, never its value, where it is no key or was sent twice.
 */
export function readAggregatorKeys(headerOf: (name: string) => string | undefined, callName: string): AggregatorKeys {
  const keyOf = (names: readonly string[]): string | null => {
    for (const name of names) {
      const value = headerOf(name)?.trim();
      if (value === undefined || value === '') continue;
      // Headers sent twice arrive as one with a comma and a blank.
      if (!KEY.test(value)) throw invalid(`The header ${name} is not a key`, KEY_ALLOWED, callName, { field: name });
      return value;
    }
    return null;
  };
  return { jupiter: keyOf(HEADERS.jupiter), dflow: keyOf(HEADERS.dflow) };
}
