import type { AccountRow, FollowRow } from '@lending/store';
import type { FastifyInstance } from 'fastify';
import type { ReadStore } from '#reads/read-store.ts';
import { BANKS, MEASURES, TIP } from './account-rows.ts';
import { createTestApp, fakeStore, followRow, type TestAppOptions } from './test-app.ts';

export interface AccountsWorld extends Partial<Omit<TestAppOptions, 'store'>> {
  readonly accounts?: readonly AccountRow[];
  readonly store?: Partial<ReadStore>;
}

/** What the indexer says to whoever asks: read, and whole. */
export function answeredFollow(address: string, aspect: FollowRow['aspect'], accounts: readonly string[]): FollowRow {
  return followRow(address, aspect, {
    answered_slot: 400_000_900n,
    answered_time: TIP.tip_time,
    accounts,
    is_complete: true,
  });
}

/** The app over two banks and these accounts, every address followed and answered. */
export function createAccountsApp({
  accounts = [],
  store = {},
  ...options
}: AccountsWorld = {}): Promise<FastifyInstance> {
  const of = (address: string) => accounts.filter((row) => row.address === address || row.authority === address);
  return createTestApp({
    ...options,
    store: fakeStore(BANKS, {
      listBankMeasures: async () => MEASURES,
      readChainProgress: async () => TIP,
      readAccountsOf: async (address) => of(address),
      requestFollow: async ({ address, aspect }) => ({
        kind: 'known',
        follow: answeredFollow(
          address,
          aspect,
          of(address).map((row) => row.address),
        ),
      }),
      ...store,
    }),
  });
}

export async function getJson(app: FastifyInstance, url: string) {
  const response = await app.inject(url);
  return { status: response.statusCode, headers: response.headers, text: response.payload, body: response.json() };
}
