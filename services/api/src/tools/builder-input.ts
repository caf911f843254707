import { z } from 'zod';
import { anyCase, taking } from './accepted-json.ts';
import { ADDRESS_JSON, ADDRESS_TO_AGENTS, EXACT_ADDRESS_ALLOWED, exactAddress } from './address-input.ts';
import { AMOUNT_ALLOWED, askedAmount } from './amount-input.ts';
import { inputField, numberOrText, objectField, requiredField, trueOrFalse } from './input-field.ts';
import type { JsonSchema } from './json-schema.ts';

/** The arguments that builders share, each with its words; an agent reads them once for every tool, so they are short. */

/** Micro-lamports for a unit that nobody pays by intention: 1.4 million units cost 0.14 SOL. */
const MOST_MICRO_LAMPORTS = 100_000_000;

const feeLevel = z.enum(['low', 'medium', 'high']);

const microLamports = { type: 'integer', minimum: 0, maximum: MOST_MICRO_LAMPORTS } as const;

const feeJson = {
  anyOf: [anyCase(feeLevel.options), microLamports, { type: 'string', pattern: '^0{0,3}(?:[0-9]{1,8}|100000000)$' }],
};

const priorityFee = taking(
  z.union([feeLevel, z.string(), z.number()]).transform((value, context) => {
    const level = typeof value === 'string' ? feeLevel.safeParse(value.toLowerCase()).data : undefined;
    if (level !== undefined) return level;
    const price = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
    if (typeof price === 'number' && Number.isInteger(price) && price >= 0 && price <= MOST_MICRO_LAMPORTS)
      return price;
    context.addIssue({ code: 'custom', message: 'not a fee' });
    return z.NEVER;
  }),
  feeJson,
  feeJson,
  { anyOf: [{ enum: feeLevel.options }, microLamports] },
);

/** A number in a body, or its text: of what is allowed, those spellings that a pattern can say. */
function orText(json: JsonSchema, pattern: string): JsonSchema {
  return { anyOf: [json, { type: 'string', pattern }] };
}

const policyShape = {
  min_health_ratio_after: inputField(
    taking(
      numberOrText(z.number().gt(0).max(1_000)),
      orText(
        { type: 'number', exclusiveMinimum: 0, maximum: 1_000 },
        '^(?:[1-9][0-9]{0,2}(?:\\.[0-9]{1,15})?|0\\.[0-9]{0,14}[1-9]|1000)$',
      ),
    ),
    'Refuse below this health_ratio',
    'a health ratio above 0 and at most 1000, such as 1.25',
  ),
  max_slippage_bps: inputField(
    taking(
      numberOrText(z.int().min(0).max(500)),
      orText({ type: 'integer', minimum: 0, maximum: 500 }, '^(?:[1-4]?[0-9]{1,2}|500)$'),
    ),
    'Swaps only',
    'a whole number of basis points from 0 to 500',
  ),
  max_price_impact_pct: inputField(
    taking(
      numberOrText(z.number().min(0).max(100)),
      orText({ type: 'number', minimum: 0, maximum: 100 }, '^(?:[0-9]{1,2}(?:\\.[0-9]{1,15})?|100)$'),
    ),
    'Swaps only',
    'a percentage from 0 to 100',
  ),
};

export const builderOptions = {
  policy: objectField(policyShape, 'Limits of your own', `an object of ${Object.keys(policyShape).join(', ')}`),
  priority_fee: inputField(
    priorityFee,
    'Default low; or micro-lamports per unit',
    `low, medium, high, or a whole number of micro-lamports for a compute unit, at most ${MOST_MICRO_LAMPORTS}`,
  ),
  transaction_version: inputField(
    taking(numberOrText(z.literal([0, 1])), { enum: [0, 1, '0', '1'] }),
    '0 (default), or 1 if the wallet signs it',
    '0 or 1',
  ),
  preview_only: inputField(trueOrFalse, 'Everything but the bytes', 'true or false'),
  idempotency_key: inputField(
    z.string().regex(/^[\x21-\x7e]{1,100}$/),
    'Repeat it to retry: same plan for 24 h',
    'up to 100 printable ASCII characters without blanks',
  ),
};

export const authorityField = requiredField(exactAddress, 'The wallet that signs and pays', EXACT_ADDRESS_ALLOWED);

export const accountField = inputField(exactAddress, 'Lending account; default: the only one', EXACT_ADDRESS_ALLOWED);

/** What is no address is refused later, with the banks that may be meant. */
const bankText = taking(z.string().trim().min(1).max(64), ADDRESS_JSON, ADDRESS_JSON, ADDRESS_TO_AGENTS);
const BANK_ALLOWED = 'the address of a bank, as svc_get_banks lists it';
export const bankField = namedBankField('Address of the bank');

/** Where one of two banks is meant. */
export function namedBankField(description: string) {
  return requiredField(bankText, description, BANK_ALLOWED);
}

export function optionalBankField(description: string) {
  return inputField(bankText, description, BANK_ALLOWED);
}

const AMOUNT_WORDS = 'UI tokens, 1.5 or "1.5"';
export const amountField = namedAmountField(AMOUNT_WORDS);
export const optionalAmountField = optionalNamedAmountField(AMOUNT_WORDS);

/** Where it is not plain which token is meant. */
export function namedAmountField(description: string) {
  return requiredField(askedAmount, description, AMOUNT_ALLOWED);
}
export function optionalNamedAmountField(description: string) {
  return inputField(askedAmount, description, AMOUNT_ALLOWED);
}

export function allField(description: string) {
  return inputField(trueOrFalse, description, 'true or false');
}
