import { z } from 'zod';
import { toGraphqlName, toRecordName } from '../schema/field-name.ts';

/** Every field of a record, as a query selects them. */
export function selectionOf(schema: z.ZodType): string {
  const record = recordIn(schema);
  if (record === null) return '';
  const fields = Object.entries(record.shape).map(
    ([name, field]) => `${toGraphqlName(name)} ${selectionOf(field as z.ZodType)}`,
  );
  return `{ ${fields.join(' ')} }`;
}

function recordIn(schema: z.ZodType): z.ZodObject | null {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return recordIn(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodArray ? recordIn(schema.element as z.ZodType) : null;
}

/** What a query answered, named as the other doors name it. */
export function asRecord(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(asRecord);
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [toRecordName(name), asRecord(value)]));
}
