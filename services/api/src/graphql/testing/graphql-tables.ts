import {
  type AccountWrite,
  type ActivityWrite,
  advanceChainProgress,
  type Database,
  insertActivities,
  recordLimitChanges,
  upsertAccounts,
  upsertBankMeasures,
} from '@lending/store';
import { getAddressDecoder } from '@solana/kit';
import type { FastifyInstance } from 'fastify';
import { createReadStore } from '#reads/read-store.ts';
import { CHAIN_TIME_MS, SOL_BANK, USDC_BANK } from '../../testing/bank-row.ts';
import { accountWrite, bankWrite, measureWrites, priceWrite, sampleWrite, write } from '../../testing/tables.ts';
import { createTestApp } from '../../testing/test-app.ts';

const HOUR_MS = 3_600_000;
const slotTime = new Date(CHAIN_TIME_MS).toISOString();

/** An address of 32 bytes that nobody has; those of one `family` are in the order of their numbers. */
export function nthAddress(family: 'bank' | 'account' | 'owner', nth: number): string {
  const bytes = new Uint8Array(32).fill(7);
  bytes[0] = { bank: 40, account: 80, owner: 120 }[family];
  bytes[1] = nth;
  return getAddressDecoder().decode(bytes);
}

export const nthBank = (nth: number): string =>
  nth === 0 ? USDC_BANK : nth === 1 ? SOL_BANK : nthAddress('bank', nth);

/** Banks with an hour of samples, two limits each, and what they were measured at. */
export async function writeBanks(db: Database, count: number): Promise<void> {
  const banks = Array.from({ length: count }, (_, nth) => nthBank(nth));
  const times = [CHAIN_TIME_MS, CHAIN_TIME_MS - HOUR_MS];
  await db.transaction().execute(async (transaction) => {
    const seen = { kind: 'bank', venue: 'p0', valueLimitUsd: null, borrowLimitBase: null, source: 'localnet' } as const;
    await recordLimitChanges(
      transaction,
      banks.flatMap((address) =>
        times.map((timeMs, nth) => ({
          ...seen,
          address,
          depositLimitBase: `${(nth + 1) * 1_000_000}`,
          slot: BigInt(Math.floor(timeMs / 400)),
          time: new Date(timeMs).toISOString(),
        })),
      ),
    );
  });
  await write(db, {
    banks: banks.map((address, nth) => bankWrite({ address, symbol: `T${nth}`, depositLimitBase: null })),
    samples: banks.flatMap((bank, nth) =>
      times.map((timeMs) => sampleWrite(timeMs, { bank, totalAssetsBase: `${1_000_000_000 + nth * 1_000_000}` })),
    ),
    prices: banks.map((bank) => priceWrite(CHAIN_TIME_MS, { bank })),
  });
  const [measure] = measureWrites(400n, slotTime);
  await db.transaction().execute(async (transaction) => {
    await upsertBankMeasures(
      transaction,
      banks.map((bank) => ({ ...(measure as NonNullable<typeof measure>), bank })),
    );
    await advanceChainProgress(transaction, [{ tipSlot: 500n, tipTime: slotTime, rootSlot: 400n, source: 'localnet' }]);
  });
}

export interface Holding {
  readonly bank: string;
  readonly side: 'lend' | 'borrow';
  readonly shares: string;
}

/** An account that holds and owes these, by slots. */
export function accountOf(
  address: string,
  authority: string,
  holdings: readonly Holding[],
  changes: Partial<AccountWrite> = {},
): AccountWrite {
  const base = accountWrite();
  const state = base.state as NonNullable<AccountWrite['state']>;
  return {
    ...base,
    address,
    state: {
      ...state,
      authority,
      balances: holdings.map(({ bank, side, shares }, slotIndex) => ({
        slotIndex,
        bank,
        assetTag: 0,
        orderTag: 0,
        assetShares: side === 'lend' ? shares : '0',
        liabilityShares: side === 'borrow' ? shares : '0',
        lastUpdate: '0',
        premiumRate: 0,
        premiumOutstanding: '0',
      })),
    },
    ...changes,
  };
}

export async function writeAccounts(db: Database, accounts: readonly AccountWrite[]): Promise<void> {
  await db.transaction().execute((transaction) => upsertAccounts(transaction, accounts));
}

export async function writeActivity(db: Database, activities: readonly ActivityWrite[]): Promise<void> {
  await db.transaction().execute((transaction) => insertActivities(transaction, activities));
}

export interface TablesApp {
  readonly app: FastifyInstance;
  /** Statements since it was last asked. */
  takeStatements(): number;
}

/** The app over a database, which counts what it asks it. */
export async function createTablesApp(db: Database): Promise<TablesApp> {
  let statements = 0;
  const counting = db.withPlugin({
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const app = await createTestApp({ store: createReadStore(counting) });
  return {
    app,
    takeStatements() {
      const taken = statements;
      statements = 0;
      return taken;
    },
  };
}
