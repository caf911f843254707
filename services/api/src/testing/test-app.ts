import { createLogger, createMetrics } from '@lending/runtime';
import type { BankRow } from '@lending/store';
import type { FastifyInstance } from 'fastify';
import type { ReadDeps } from '#reads/read-deps.ts';
import type { ReadStore } from '#reads/read-store.ts';
import { buildApp } from '../app.ts';
import { createBankSet } from '../reads/bank-set.ts';
import { createReserveSet } from '../reads/reserve-set.ts';
import { CHAIN_TIME_MS } from './bank-row.ts';

/** A store that answers with these banks; a question a test did not expect throws. */
export function fakeStore(rows: readonly BankRow[], changes: Partial<ReadStore> = {}): ReadStore {
  const unexpected = (name: string) => async () => {
    throw new Error(`the test asked ${name} and said no answer`);
  };
  return {
    listBanks: async () => rows,
    listRejectedBanks: async () => [],
    listReserves: async () => [],
    listLimitChanges: unexpected('listLimitChanges'),
    readQuarantine: async () => [],
    readVenueStatus: async () => [],
    readTrailingRates: async () => [],
    readRateHistory: unexpected('readRateHistory'),
    readHistorySpan: unexpected('readHistorySpan'),
    hasTables: async () => true,
    readServiceStatus: unexpected('readServiceStatus'),
    listConsumers: async () => [],
    ...changes,
  };
}

export interface TestAppOptions {
  readonly store: ReadStore;
  readonly now?: () => number;
  readonly components?: ReadDeps['components'];
}

/** The whole app on a store of the test's, 5 s after the chain's time. Nothing listens. */
export async function createTestApp(options: TestAppOptions): Promise<FastifyInstance> {
  const { store, now = () => CHAIN_TIME_MS + 5_000, components = () => [] } = options;
  const logger = createLogger({ level: 'silent', name: 'test' });
  const banks = createBankSet({ store, logger, now });
  const reserves = createReserveSet({ store, banks, logger, now });
  const reads = { store, banks, reserves, components, now, staleAfterMs: 120_000, version: '0.1.0' };
  return buildApp({
    reads,
    logger,
    metrics: createMetrics(),
    allowedHosts: ['localhost', '127.0.0.1', '[::1]'],
    maxBodyBytes: 10_000,
  });
}
