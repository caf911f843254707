import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { bankRow, kaminoRow, reserveRow, SOL_BANK, solReserveRow } from '../../testing/bank-row.ts';
import { createTestApp, fakeStore, type TestAppOptions } from '../../testing/test-app.ts';
import { toGraphqlName, toRecordName } from '../schema/field-name.ts';

/** An app over three banks and two reserves. */
export function createGraphqlApp(options: Partial<TestAppOptions> = {}): Promise<FastifyInstance> {
  const rows = [bankRow(), bankRow({ address: SOL_BANK, symbol: 'SOL', total_assets_base: '7000000000' }), kaminoRow()];
  return createTestApp({
    store: fakeStore(rows, { listReserves: async () => [reserveRow(), solReserveRow()] }),
    ...options,
  });
}

export interface GraphqlAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what a query answers is what it asks.
  readonly data: any;
  readonly errors: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    // biome-ignore lint/suspicious/noExplicitAny: so are the facts of an error.
    readonly extensions: Readonly<Record<string, any>>;
  }[];
}

/** Sends a query as most clients do. */
export async function ask(
  app: FastifyInstance,
  query: string,
  variables?: Readonly<Record<string, unknown>>,
): Promise<GraphqlAnswer> {
  const response = await app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { accept: 'application/graphql-response+json' },
    payload: { query, variables },
  });
  const { data, errors = [] } = response.json();
  return { status: response.statusCode, data, errors };
}

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
