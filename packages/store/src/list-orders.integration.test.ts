import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { listOrders } from './list-orders.ts';
import { upsertAccountOrders } from './upsert-account-orders.ts';

const database = useDatabase({ per: 'test' });
const SEEN = { writeVersion: null, slot: 100n, slotTime: '2026-11-21T10:00:00.000Z' } as const;
const STATE = { trigger: 'stop_loss', stopLoss: '1', takeProfit: null, maxSlippage: '0.01', tags: [1, 2] } as const;

describe('listOrders', () => {
  it('lists the orders of one chain with their accounts, without those that are gone', async () => {
    const write = (address: string, state: typeof STATE | null, source: 'chain' | 'localnet' = 'chain') => ({
      ...SEEN,
      address,
      account: `account of ${address}`,
      state,
      source,
    });
    const orders = [
      write('order-b', STATE),
      write('order-a', STATE),
      write('gone', null),
      write('x', STATE, 'localnet'),
    ];
    await database.db.transaction().execute((transaction) => upsertAccountOrders(transaction, orders));
    expect(await listOrders(database.db, { source: 'chain' })).toEqual([
      { address: 'order-a', account: 'account of order-a' },
      { address: 'order-b', account: 'account of order-b' },
    ]);
  });
});
