import { z } from 'zod';
import { taking } from './accepted-json.ts';
import { ADDRESS_ALLOWED } from './input-field.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VALUE_OF = new Map([...ALPHABET].map((digit, value) => [digit, BigInt(value)]));
const ADDRESS_BYTES = 32;

/** Whether a text is the base58 of exactly 32 bytes: the length in characters alone does not say so. */
export function isAddress(text: string): boolean {
  if (text.length < 32 || text.length > 44) return false;
  let value = 0n;
  for (const digit of text) {
    const worth = VALUE_OF.get(digit);
    if (worth === undefined) return false;
    value = value * 58n + worth;
  }
  const leadingZeros = /^1*/.exec(text)?.[0].length ?? 0;
  const bytes = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2);
  return leadingZeros + bytes === ADDRESS_BYTES;
}

const ADDRESS_PATTERN = '^[1-9A-HJ-NP-Za-km-z]{32,44}$';

/** The format is what the pattern cannot say: 32 bytes. */
export const ADDRESS_JSON = { type: 'string', format: 'solana-address', pattern: ADDRESS_PATTERN } as const;

/** The same in an agent's words: its client knows no such format. */
export const ADDRESS_TO_AGENTS = { type: 'string', pattern: ADDRESS_PATTERN } as const;

/** An address that is about to be asked of the chain; blanks around it come from copying. */
export const exactAddress = taking(
  z.string().trim().refine(isAddress, { message: ADDRESS_ALLOWED }),
  ADDRESS_JSON,
  ADDRESS_JSON,
  ADDRESS_TO_AGENTS,
);
export const EXACT_ADDRESS_ALLOWED = 'a Solana address: 32 bytes as base58, 32 to 44 characters';
