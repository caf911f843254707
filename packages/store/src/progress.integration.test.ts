import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import {
  advanceChainProgress,
  type ChainProgressWrite,
  forgetReadPast,
  forgetUnfollowedPast,
  type IndexProgressWrite,
  upsertIndexProgress,
} from './advance-progress.ts';
import { answerFollows } from './answer-follows.ts';
import { requestFollow } from './follows.ts';
import { listBankMeasures } from './list-bank-measures.ts';
import {
  isPastWhole,
  listIndexProgress,
  listUnfinishedProgress,
  readChainProgress,
  readIndexTask,
} from './read-progress.ts';
import { type BankMeasureWrite, upsertBankMeasures } from './upsert-bank-measures.ts';

const database = useDatabase({ per: 'test' });
const TIME = '2026-11-21T10:00:00.000Z';

const step = (tipSlot: bigint, rootSlot: bigint): ChainProgressWrite => ({
  tipSlot,
  tipTime: new Date(Date.parse(TIME) + Number(tipSlot) * 1_000).toISOString(),
  rootSlot,
  source: 'chain',
});
const advance = (...steps: readonly ChainProgressWrite[]) =>
  database.db.transaction().execute((transaction) => advanceChainProgress(transaction, steps));

describe('advanceChainProgress', () => {
  it('moves tip and root on, each never back', async () => {
    expect(await readChainProgress(database.db)).toBeNull();
    await advance(step(10n, 5n), step(12n, 4n));
    expect(await readChainProgress(database.db)).toEqual({
      tip_slot: 12n,
      tip_time: new Date(Date.parse(TIME) + 12_000),
      root_slot: 5n,
      source: 'chain',
    });
    await advance(step(11n, 7n));
    expect(await readChainProgress(database.db)).toMatchObject({
      tip_slot: 12n,
      tip_time: new Date(Date.parse(TIME) + 12_000),
      root_slot: 7n,
    });
    await advance();
    await advance(step(13n, 6n));
    expect(await readChainProgress(database.db)).toMatchObject({ tip_slot: 13n, root_slot: 7n });
  });
});

const PROGRESS: IndexProgressWrite = {
  task: 'activity:a:100',
  kind: 'activity',
  address: 'a',
  fromSlot: 100n,
  untilSlot: 5n,
  cursor: { signature: 'signature', slot: 50n },
  done: 12,
  total: null,
  isComplete: false,
  source: 'chain',
  slot: 10n,
  slotTime: TIME,
};
const progress = (...rows: readonly Partial<IndexProgressWrite>[]) =>
  database.db.transaction().execute((transaction) =>
    upsertIndexProgress(
      transaction,
      rows.map((row) => ({ ...PROGRESS, ...row })),
    ),
  );

describe('upsertIndexProgress', () => {
  it('keeps every field, and lists tasks of addresses and those to go on with', async () => {
    await progress(
      {},
      { task: 'accounts', kind: 'accounts', address: null, cursor: null, total: 7, isComplete: true },
      { task: 'activity:b:200', address: 'b', fromSlot: 200n },
    );
    expect(await readIndexTask(database.db, 'activity:a:100')).toEqual({
      task: 'activity:a:100',
      kind: 'activity',
      address: 'a',
      from_slot: 100n,
      until_slot: 5n,
      cursor_signature: 'signature',
      cursor_slot: 50n,
      done: 12n,
      total: null,
      is_complete: false,
      source: 'chain',
      slot: 10n,
      slot_time: new Date(TIME),
    });
    const tasks = (rows: readonly { task: string }[]) => rows.map(({ task }) => task);
    expect(tasks(await listIndexProgress(database.db))).toEqual(['accounts', 'activity:a:100', 'activity:b:200']);
    expect(tasks(await listIndexProgress(database.db, ['b', 'c']))).toEqual(['activity:b:200']);
    expect(tasks(await listUnfinishedProgress(database.db))).toEqual(['activity:b:200', 'activity:a:100']);
    expect(await readIndexTask(database.db, 'unknown')).toBeNull();
  });

  it('calls a past whole that was read down to slot 0, with nothing open above', async () => {
    const isWhole = () => isPastWhole(database.db, 'whole');
    const of = (fromSlot: bigint, untilSlot: bigint, isComplete: boolean) =>
      progress({ task: `activity:whole:${fromSlot}`, address: 'whole', fromSlot, untilSlot, isComplete });
    expect(await isWhole()).toBe(false);
    await of(100n, 5n, true);
    expect(await isWhole()).toBe(false);
    await of(5n, 0n, false);
    expect(await isWhole()).toBe(false);
    await of(5n, 0n, true);
    expect(await isWhole()).toBe(true);
    await of(200n, 100n, false);
    expect(await isWhole()).toBe(false);
  });

  it('takes the newest: by slot, then the one that has done more', async () => {
    const done = async () => Number((await readIndexTask(database.db, PROGRESS.task))?.done);
    await progress({ slot: 10n, done: 20 }, { slot: 10n, done: 19 });
    expect(await done()).toBe(20);
    await progress({ slot: 10n, done: 18 });
    await progress({ slot: 9n, done: 30 });
    expect(await done()).toBe(20);
    await progress({ slot: 10n, done: 20, isComplete: true });
    await progress({ slot: 10n, done: 21 });
    expect(await listUnfinishedProgress(database.db)).toEqual([]);
    await progress({ slot: 11n, done: 1 });
    expect(await done()).toBe(1);
  });
});

describe('upsertBankMeasures', () => {
  it('keeps the newest measure of each bank, what is unknown as null', async () => {
    const measure: BankMeasureWrite = {
      bank: 'bank-a',
      ledger: { assetShareValue: '1.000000000000003552713678800500929355621337890625' },
      price: { error: 'OracleStale' },
      vaultBase: '18446744073709551615',
      transferFee: { basisPoints: 1, maximumFeeBase: '5' },
      group: null,
      source: 'chain',
      slot: 10n,
      slotTime: TIME,
    };
    const write = (...rows: readonly BankMeasureWrite[]) =>
      database.db.transaction().execute((transaction) => upsertBankMeasures(transaction, rows));
    await write({ ...measure, bank: 'bank-b', vaultBase: null, transferFee: null }, measure, {
      ...measure,
      slot: 9n,
      vaultBase: '1',
    });
    await write({ ...measure, slot: 9n, vaultBase: '2' });
    expect(await listBankMeasures(database.db)).toEqual([
      {
        bank: 'bank-a',
        ledger: measure.ledger,
        price: measure.price,
        vault_base: '18446744073709551615',
        transfer_fee: measure.transferFee,
        group: null,
        total_asset_value_init_limit_usd: null,
        source: 'chain',
        slot: 10n,
        slot_time: new Date(TIME),
      },
      expect.objectContaining({ bank: 'bank-b', vault_base: null, transfer_fee: null }),
    ]);
  });
});

describe('forgetReadPast', () => {
  it('forgets what was read to its end a day ago, but the newest and what reaches down to the beginning', async () => {
    const done = (task: string, slot: bigint, fields: Partial<IndexProgressWrite> = {}) => ({
      task,
      slot,
      fromSlot: slot,
      slotTime: new Date(Date.parse(TIME) + Number(slot) * 1_000).toISOString(),
      isComplete: true,
      ...fields,
    });
    await progress(
      done('whole', 1n, { untilSlot: 0n }),
      done('old', 2n),
      done('open', 3n, { isComplete: false }),
      done('of another', 4n, { address: 'b' }),
      done('accounts', 5n, { kind: 'accounts', address: null }),
      done('a day old', 10n),
      done('newest', 11n),
    );
    const forget = () => forgetReadPast(database.db, { address: 'a', keepDays: 1 });
    const tasks = async () => new Set((await listIndexProgress(database.db)).map(({ task }) => task));
    expect(await forget()).toBe(0);
    await advance(step(86_400n + 10n, 9n));
    expect(await forget()).toBe(1);
    expect(await tasks()).toEqual(new Set(['whole', 'open', 'of another', 'accounts', 'a day old', 'newest']));
    await advance(step(900_000n, 9n));
    expect(await forget()).toBe(1);
    expect(await tasks()).toEqual(new Set(['whole', 'open', 'of another', 'accounts', 'newest']));
    expect(await readChainProgress(database.db)).toMatchObject({ tip_slot: 900_000n, root_slot: 9n });
  });
});

describe('forgetUnfollowedPast', () => {
  it('forgets activity of addresses nobody follows, but the program’s, and not of late', async () => {
    const row = (address: string, fields: Partial<IndexProgressWrite> = {}) => ({ task: address, address, ...fields });
    const ask = (address: string, aspect: 'accounts' | 'activity') =>
      requestFollow(database.db, { address, aspect, maxFollowed: 100 });
    await ask('followed', 'activity');
    await ask('looked at', 'accounts');
    await database.db.transaction().execute((transaction) =>
      answerFollows(transaction, [
        {
          address: 'followed',
          aspect: 'activity',
          accounts: ['its account'],
          isComplete: true,
          slot: 1n,
          slotTime: TIME,
        },
      ]),
    );
    await progress(
      row('accounts', { kind: 'accounts', address: null }),
      row('program'),
      row('followed'),
      row('its account'),
      row('looked at'),
      row('read', { isComplete: true }),
      row('open'),
      row('of late', { slotTime: new Date(Date.parse(TIME) + 2_000).toISOString() }),
    );
    const forget = () => forgetUnfollowedPast(database.db, { program: 'program', idleMs: 3_600_000 });
    const tasks = async () => (await listIndexProgress(database.db)).map(({ task }) => task);
    expect(await forget()).toBe(0);
    await advance(step(3_601n, 1n));
    expect(await forget()).toBe(3);
    expect(await tasks()).toEqual(['accounts', 'followed', 'its account', 'of late', 'program']);
  });
});
