import type { FastifyInstance } from 'fastify';
import { bankRow, kaminoRow, SOL_BANK } from '../../testing/bank-row.ts';
import { reserveRow, solReserveRow } from '../../testing/reserve-row.ts';
import { createTestApp, fakeStore, type TestAppOptions } from '../../testing/test-app.ts';

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
