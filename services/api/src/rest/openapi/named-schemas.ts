import type { z } from 'zod';
import { activitySchema, legSchema } from '#records/activity-fields.ts';
import { listedBankSchema, ratesSchema } from '#records/bank-fields.ts';
import { bankReserveSchema } from '#records/bank-reserve-fields.ts';
import {
  accountHealthSchema,
  actionEnvelopeSchema,
  blockhashSchema,
  leverageEnvelopeSchema,
  tokenChangeSchema,
} from '#records/envelope-fields.ts';
import { healthSchema, stressSchema } from '#records/health-fields.ts';
import { limitsSchema } from '#records/limit-fields.ts';
import { listedAccountSchema, maxBorrowSchema } from '#records/position-fields.ts';
import {
  addressCoverageSchema,
  asOfSchema,
  coverageSchema,
  nextActionsField,
  reserveCoverageSchema,
  warningSchema,
} from '#records/reply-fields.ts';
import { listedReserveSchema } from '#records/reserve-fields.ts';
import { listedStrategySchema } from '#records/strategy-fields.ts';
import type { JsonSchema } from '#tools/json-schema.ts';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { outputJson } from './describe-route.ts';

/** Records that have a name of their own in the description, so that generators make one type of each. */
const NAMED: Readonly<Record<string, z.ZodType>> = {
  AccountHealth: accountHealthSchema,
  Activity: activitySchema,
  ActivityLeg: legSchema,
  AddressCoverage: addressCoverageSchema,
  AsOf: asOfSchema,
  BankReserve: bankReserveSchema,
  Blockhash: blockhashSchema,
  Coverage: coverageSchema,
  Envelope: actionEnvelopeSchema,
  Error: wireErrorSchema,
  Health: healthSchema,
  LeverageEnvelope: leverageEnvelopeSchema,
  Limits: limitsSchema,
  ListedAccount: listedAccountSchema,
  ListedBank: listedBankSchema,
  ListedReserve: listedReserveSchema,
  ListedStrategy: listedStrategySchema,
  MaxBorrow: maxBorrowSchema,
  NextAction: nextActionsField.element,
  Rates: ratesSchema,
  ReserveCoverage: reserveCoverageSchema,
  Stress: stressSchema,
  TokenChange: tokenChangeSchema,
  Warning: warningSchema,
};

/** The same document with every record that has a name named where it stands; and what those names are, as far as they are used. */
export function nameSchemas(document: object): { readonly document: object; readonly schemas: object } {
  const jsons = Object.entries(NAMED).map(([name, schema]) => [name, outputJson(schema)] as const);
  const names = new Map(jsons.map(([name, json]) => [keyOf(json), name]));
  const visit = (value: unknown, isOwn = false): unknown => {
    if (Array.isArray(value)) return value.map((each) => visit(each));
    if (typeof value !== 'object' || value === null) return value;
    const name = isOwn ? undefined : names.get(keyOf(value));
    if (name === undefined) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]));
    const { description } = value as JsonSchema;
    return { $ref: `${PLACE}${name}`, ...(description !== undefined && { description }) };
  };
  const named = visit(document) as object;
  const schemas = new Map(jsons.map(([name, json]) => [name, visit(json, true) as object]));
  const used = namesIn(named, schemas);
  return { document: named, schemas: Object.fromEntries([...schemas].filter(([name]) => used.has(name))) };
}

const PLACE = '#/components/schemas/';

/** The names in a document, and in what they stand for. */
function namesIn(document: object, schemas: ReadonlyMap<string, object>, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    namesIn(schemas.get(name) ?? {}, schemas, found);
  }
  return found;
}

/** What a schema says, in whichever order, but for the words before it: a place may say its own. */
function keyOf(json: object): string {
  const { description: _words, ...rest } = json as JsonSchema;
  return JSON.stringify(rest, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
