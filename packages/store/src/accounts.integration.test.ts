import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { listRebalanceOrders } from './list-orders.ts';
import { listAccountAddresses, readAccountsOf, readOrdersOf, readRebalanceOrdersOf } from './read-accounts.ts';
import { readWallet } from './read-wallet.ts';
import { type AccountOrderWrite, upsertAccountOrders } from './upsert-account-orders.ts';
import { type AccountWrite, type BalanceWrite, upsertAccounts } from './upsert-accounts.ts';
import { type RebalanceOrderWrite, upsertRebalanceOrders } from './upsert-rebalance-orders.ts';
import { upsertWallets, type WalletWrite } from './upsert-wallets.ts';

const database = useDatabase({ per: 'test' });

/** Above what a float holds exactly. */
const WIDE = '18446744073709551615';
const SHARES = '1000.000000000000003552713678800500929355621337890625';
const SEEN = { source: 'chain', slot: 100n, slotTime: '2026-11-21T10:00:00.000Z' } as const;

type AccountState = NonNullable<AccountWrite['state']>;

function balance(slotIndex: number, fields: Partial<BalanceWrite> = {}): BalanceWrite {
  return {
    slotIndex,
    bank: `bank-${slotIndex}`,
    assetTag: 0,
    orderTag: 7,
    assetShares: SHARES,
    liabilityShares: '0',
    lastUpdate: '1763719200',
    premiumRate: 4_294_967_295,
    premiumOutstanding: SHARES,
    ...fields,
  };
}

const STATE: AccountState = {
  groupAddress: 'group',
  authority: 'owner',
  flags: WIDE,
  lastUpdate: '1763719200',
  derivation: { index: 3, thirdPartyId: 65_535 },
  activeOrders: 1,
  liquidationTaggedAt: '1791000000',
  migratedFrom: 'before',
  migratedTo: 'after',
  emissionsDestination: 'destination',
  liquidationRecord: 'record',
  balances: [
    balance(0),
    balance(15, {
      assetShares: '0',
      liabilityShares: SHARES,
      premiumRate: 4_294_967_295,
      premiumOutstanding: SHARES,
    }),
  ],
};

function account(fields: Partial<Omit<AccountWrite, 'state'>>, state: Partial<AccountState> | null = {}): AccountWrite {
  return { address: 'account-a', writeVersion: null, ...SEEN, ...fields, state: state && { ...STATE, ...state } };
}

function write(...accounts: readonly AccountWrite[]): Promise<void> {
  return database.db.transaction().execute((transaction) => upsertAccounts(transaction, accounts));
}

/** Whose it is says which write was taken. */
async function stored(): Promise<readonly string[]> {
  const rows = await database.db.selectFrom('account').selectAll().orderBy('address').execute();
  return rows.map((row) => `${row.address} ${row.authority} ${row.slot}`);
}

describe('upsertAccounts', () => {
  it('keeps every number exact and every field in its column', async () => {
    await write(account({ writeVersion: WIDE }));
    const { slot_time, ...row } = await database.db.selectFrom('account').selectAll().executeTakeFirstOrThrow();
    expect(slot_time.toISOString()).toBe(SEEN.slotTime);
    expect(row).toEqual({
      address: 'account-a',
      group_address: 'group',
      authority: 'owner',
      flags: WIDE,
      last_update: 1_763_719_200n,
      derivation_index: 3,
      third_party_id: 65_535,
      active_orders: 1,
      liquidation_tagged_at: 1_791_000_000n,
      migrated_from: 'before',
      migrated_to: 'after',
      emissions_destination: 'destination',
      liquidation_record: 'record',
      is_closed: false,
      source: 'chain',
      slot: 100n,
      write_version: WIDE,
    });
    expect(await database.db.selectFrom('balance').selectAll().orderBy('slot_index').execute()).toMatchObject([
      {
        account: 'account-a',
        bank: 'bank-0',
        slot_index: 0,
        order_tag: 7,
        asset_shares: SHARES,
        liability_shares: '0',
      },
      {
        bank: 'bank-15',
        slot_index: 15,
        asset_shares: '0',
        liability_shares: SHARES,
        last_update: 1_763_719_200n,
        premium_rate: 4_294_967_295n,
        premium_outstanding: SHARES,
      },
    ]);
  });

  it('takes the newest write: by slot, then by write version, the end of a slot last', async () => {
    const inOrder = [
      [4n, null],
      [5n, '9'],
      [5n, '10'],
      [5n, null],
      [6n, '1'],
    ] as const;
    const writes = inOrder.map(([slot, writeVersion], nth) =>
      account({ slot, writeVersion }, { authority: `write ${nth}`, balances: [balance(nth)] }),
    );
    for (const [nth, first] of writes.entries()) {
      for (const [other, second] of writes.entries()) {
        const newest = Math.max(nth, other);
        for (const batches of [[[first], [second]], [[first, second]]]) {
          await database.db.deleteFrom('account').execute();
          await database.db.deleteFrom('balance').execute();
          for (const batch of batches) await write(...batch);
          expect(await readAccountsOf(database.db, 'account-a')).toMatchObject([
            { authority: `write ${newest}`, balances: [{ slot_index: newest }] },
          ]);
        }
      }
    }
  });

  it('makes the balances those of the write: changed, gone and new ones', async () => {
    await write(account({}, { balances: [balance(0), balance(1), balance(2)] }));
    await write(account({ slot: 101n }, { balances: [balance(1), balance(2, { bank: 'other' }), balance(3)] }));
    const [row] = await readAccountsOf(database.db, 'account-a');
    expect(row?.balances.map(({ slot_index, bank }) => `${slot_index} ${bank}`)).toEqual([
      '1 bank-1',
      '2 other',
      '3 bank-3',
    ]);
  });

  it('takes over each field that alone differs from what was stored', async () => {
    const otherState: Omit<AccountState, 'balances'> = {
      groupAddress: 'other-group',
      authority: 'other-owner',
      flags: '1',
      lastUpdate: '1763719201',
      derivation: null,
      activeOrders: 2,
      liquidationTaggedAt: null,
      migratedFrom: null,
      migratedTo: null,
      emissionsDestination: null,
      liquidationRecord: null,
    };
    const otherBalance: Omit<BalanceWrite, 'slotIndex'> = {
      bank: 'other-bank',
      assetTag: 1,
      orderTag: 8,
      assetShares: '1',
      liabilityShares: '2',
      lastUpdate: '1763719201',
      premiumRate: 3,
      premiumOutstanding: '4',
    };
    const changes: Partial<AccountState>[] = [
      ...Object.entries(otherState).map(([name, value]) => ({ [name]: value })),
      ...Object.entries(otherBalance).map(([name, value]) => ({ balances: [balance(0, { [name]: value })] })),
    ];
    const before = { balances: [balance(0)] };
    async function tables(): Promise<unknown> {
      const { db } = database;
      return [
        await db.selectFrom('account').selectAll().execute(),
        await db.selectFrom('balance').selectAll().execute(),
      ];
    }
    for (const change of changes) {
      const after = account({ slot: 101n }, { ...before, ...change });
      await sql`truncate account, balance`.execute(database.db);
      await write(after);
      const fresh = await tables();
      await sql`truncate account, balance`.execute(database.db);
      await write(account({}, before));
      await write(after);
      expect(await tables(), JSON.stringify(change)).toEqual(fresh);
    }
  });

  it('leaves balances alone when the write is older', async () => {
    await write(account({ slot: 101n }, { balances: [balance(0)] }));
    await write(account({ slot: 100n }, { balances: [] }), account({ address: 'account-b' }));
    expect((await readAccountsOf(database.db, 'account-a'))[0]?.balances).toHaveLength(1);
  });

  it('empties a closed account and keeps whose it was; one that comes back is open', async () => {
    await write(account({}));
    await write(account({ slot: 101n }, null), account({ address: 'never-seen' }, null));
    expect(await readAccountsOf(database.db, 'account-a')).toMatchObject([
      { is_closed: true, group_address: 'group', authority: 'owner', active_orders: 0, balances: [] },
    ]);
    expect(await readAccountsOf(database.db, 'never-seen')).toMatchObject([{ is_closed: true, authority: null }]);
    await write(account({ slot: 102n }));
    expect(await readAccountsOf(database.db, 'account-a')).toMatchObject([{ is_closed: false }]);
  });

  it('keeps whose it was when it was opened and closed in one batch', async () => {
    await write(
      account({ slot: 101n }, null),
      account({ slot: 100n }),
      account({ slot: 99n }, { authority: 'before' }),
    );
    expect(await readAccountsOf(database.db, 'account-a')).toMatchObject([
      { is_closed: true, group_address: 'group', authority: 'owner', balances: [], slot: 101n },
    ]);
  });

  it('does not wait in a ring when batches name the same accounts in opposite orders', async () => {
    const accounts = Array.from({ length: 40 }, (_, nth) => account({ address: `account-${nth}` }));
    await Promise.all(
      Array.from({ length: 8 }, (_, round) => write(...(round % 2 === 0 ? accounts : accounts.toReversed()))),
    );
    expect(await stored()).toHaveLength(40);
  });
});

describe('readAccountsOf', () => {
  it('finds an account by its own address and by its owner’s, open ones first', async () => {
    await write(
      account({ address: 'account-c' }),
      account({ address: 'account-a' }, { balances: [] }),
      account({ address: 'account-b' }),
      account({ address: 'someone-elses' }, { authority: 'someone' }),
    );
    await write(account({ address: 'account-b', slot: 101n }, null));
    const list = async (address: string) => (await readAccountsOf(database.db, address)).map((row) => row.address);
    expect(await list('owner')).toEqual(['account-a', 'account-c', 'account-b']);
    expect(await list('someone-elses')).toEqual(['someone-elses']);
    expect(await list('nobody')).toEqual([]);
    expect(await readAccountsOf(database.db, 'account-c')).toMatchObject([
      {
        flags: WIDE,
        slot: 100n,
        slot_time: new Date(SEEN.slotTime),
        balances: [
          {
            bank: 'bank-0',
            slot_index: 0,
            asset_tag: 0,
            order_tag: 7,
            asset_shares: SHARES,
            liability_shares: '0',
            last_update: '1763719200',
            premium_rate: 4_294_967_295,
            premium_outstanding: SHARES,
          },
          { bank: 'bank-15', premium_rate: 4_294_967_295, premium_outstanding: SHARES },
        ],
      },
    ]);
  });
});

describe('listAccountAddresses', () => {
  it('lists the open accounts of one group on one chain', async () => {
    await write(
      account({ address: 'account-b' }),
      account({ address: 'account-a' }),
      account({ address: 'another-group' }, { groupAddress: 'other' }),
      account({ address: 'another-chain', source: 'localnet' }),
      account({ address: 'closed' }),
    );
    await write(account({ address: 'closed', slot: 101n }, null));
    expect(await listAccountAddresses(database.db, { group: 'group', source: 'chain' })).toEqual([
      'account-a',
      'account-b',
    ]);
  });
});

describe('upsertRebalanceOrders', () => {
  const ORDER: RebalanceOrderWrite = {
    address: 'rebalance-a',
    account: 'account-a',
    state: {
      mint: 'mint',
      banks: ['bank-2', 'bank-1'],
      minImprovement: '0.05',
      cooldownSeconds: WIDE,
      amountBase: null,
      keeperTipLamports: WIDE,
      lastExecutedAt: null,
      feePoolLamports: '1',
    },
    writeVersion: null,
    ...SEEN,
  };
  const writeOrders = (...orders: readonly Partial<RebalanceOrderWrite>[]) =>
    database.db.transaction().execute((transaction) =>
      upsertRebalanceOrders(
        transaction,
        orders.map((order) => ({ ...ORDER, ...order })),
      ),
    );
  const list = () => readRebalanceOrdersOf(database.db, ['account-a', 'account-b']);

  it('keeps every field, the newest write of each, until the order is gone', async () => {
    await writeOrders({}, { address: 'rebalance-b', account: 'account-b', slot: 99n });
    await writeOrders({ slot: 99n, account: 'outdated' });
    const row = {
      address: 'rebalance-a',
      account: 'account-a',
      mint: 'mint',
      banks: ['bank-2', 'bank-1'],
      min_improvement: '0.05',
      cooldown_seconds: WIDE,
      amount_base: null,
      keeper_tip_lamports: WIDE,
      last_executed_at: null,
      fee_pool_lamports: '1',
      executions: [],
    };
    expect(await list()).toEqual([row, { ...row, address: 'rebalance-b', account: 'account-b' }]);
    expect(await listRebalanceOrders(database.db, { source: 'chain' })).toEqual([
      { address: 'rebalance-a', account: 'account-a' },
      { address: 'rebalance-b', account: 'account-b' },
    ]);
    await writeOrders({ slot: 101n, state: null });
    expect((await list()).map(({ address }) => address)).toEqual(['rebalance-b']);
    expect(await listRebalanceOrders(database.db, { source: 'localnet' })).toEqual([]);
  });
});

describe('upsertAccountOrders', () => {
  const ORDER: AccountOrderWrite = {
    address: 'order-a',
    account: 'account-a',
    state: { trigger: 'both', stopLoss: SHARES, takeProfit: null, maxSlippage: '0.01', tags: [7, 65_535] },
    writeVersion: null,
    ...SEEN,
  };
  const writeOrders = (...orders: readonly Partial<AccountOrderWrite>[]) =>
    database.db.transaction().execute((transaction) =>
      upsertAccountOrders(
        transaction,
        orders.map((order) => ({ ...ORDER, ...order })),
      ),
    );

  it('keeps orders exact, and gives those of several accounts', async () => {
    await writeOrders({}, { address: 'order-b', account: 'account-b' }, { address: 'order-c', account: 'account-c' });
    expect(await readOrdersOf(database.db, ['account-b', 'account-a'])).toEqual([
      {
        address: 'order-a',
        account: 'account-a',
        trigger: 'both',
        stop_loss: SHARES,
        take_profit: null,
        max_slippage: '0.01',
        tags: [7, 65_535],
      },
      expect.objectContaining({ address: 'order-b' }),
    ]);
    expect(await readOrdersOf(database.db, [])).toEqual([]);
  });

  it('forgets an order that is gone, and takes no older write', async () => {
    await writeOrders({});
    await writeOrders({ state: null, slot: 101n });
    await writeOrders({});
    expect(await readOrdersOf(database.db, ['account-a'])).toEqual([]);
    await writeOrders({ slot: 101n, writeVersion: '5' });
    expect(await readOrdersOf(database.db, ['account-a'])).toEqual([]);
    await writeOrders({ slot: 102n });
    expect(await readOrdersOf(database.db, ['account-a'])).toHaveLength(1);
  });
});

describe('upsertWallets and readWallet', () => {
  const HOLDING = {
    tokenAccount: 'token-account-a',
    mint: 'mint-a',
    tokenProgram: 'token_2022',
    decimals: 9,
    amountBase: WIDE,
    isFrozen: true,
    symbol: 'TOK',
    name: 'A token',
  } as const;
  const WALLET: WalletWrite = { address: 'wallet', lamports: WIDE, holdings: [HOLDING], holdingsLeftOut: 3, ...SEEN };
  const writeWallets = (...wallets: readonly Partial<WalletWrite>[]) =>
    database.db.transaction().execute((transaction) =>
      upsertWallets(
        transaction,
        wallets.map((wallet) => ({ ...WALLET, ...wallet })),
      ),
    );

  it('keeps amounts exact and every field in its column', async () => {
    await writeWallets({}, { address: 'other', holdings: [] });
    expect(await readWallet(database.db, 'wallet')).toEqual({
      address: 'wallet',
      lamports: WIDE,
      holdings_left_out: 3,
      source: 'chain',
      slot: 100n,
      slot_time: new Date(SEEN.slotTime),
      holdings: [
        {
          token_account: 'token-account-a',
          mint: 'mint-a',
          token_program: 'token_2022',
          decimals: 9,
          amount_base: WIDE,
          is_frozen: true,
          symbol: 'TOK',
          name: 'A token',
        },
      ],
    });
    expect(await readWallet(database.db, 'other')).toMatchObject({ holdings: [] });
    expect(await readWallet(database.db, 'unknown')).toBeNull();
  });

  it('replaces what is held, and takes no older reading', async () => {
    await writeWallets({});
    await writeWallets({
      slot: 101n,
      lamports: '1',
      holdings: [{ ...HOLDING, tokenAccount: 'token-account-b', symbol: null, name: null }],
    });
    await writeWallets({});
    expect(await readWallet(database.db, 'wallet')).toMatchObject({
      lamports: '1',
      holdings: [{ token_account: 'token-account-b', symbol: null }],
    });
  });
});
