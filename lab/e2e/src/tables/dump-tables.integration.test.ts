import { useDatabase } from '@lending/store/testing';
import { expect, it } from 'vitest';
import { compareDumps, dumpTables } from './dump-tables.ts';
import { query, type Tables } from './query.ts';

const one = useDatabase({ per: 'test' });
const other = useDatabase({ per: 'test' });

async function differences(): Promise<readonly string[]> {
  return compareDumps(await dumpTables(one), await dumpTables(other));
}

/** Accounts as an indexer knows them that read them at a slot. */
async function writeAccounts(database: Tables, slot: number): Promise<void> {
  await query(
    database,
    `insert into account (address, is_closed, source, slot, slot_time) values ('account', false, 'localnet', $1::bigint, to_timestamp($1::bigint))`,
    [slot],
  );
  for (const table of ['account_order', 'rebalance_order']) {
    await query(
      database,
      `insert into ${table} (address, account, is_closed, source, slot, write_version, slot_time)
       values ('order', 'account', false, 'localnet', $1::bigint, $1::bigint, to_timestamp($1::bigint))`,
      [slot],
    );
  }
}

async function writeChange(database: Tables, slot: number, kind: string, detail: object): Promise<void> {
  await query(
    database,
    `insert into group_change (id, slot, time, kind, address, detail) values ($1, $2::bigint, to_timestamp($2::bigint), $3, 'account', $4)`,
    [kind === 'liquidation_tag' ? `account:${slot}` : 'event', slot, kind, JSON.stringify(detail)],
  );
}

it('leaves out at which slot an account was read, and nothing of what it was', async () => {
  await writeAccounts(one, 5);
  await writeAccounts(other, 8);
  expect(await differences()).toEqual([]);
  await query(other, `update rebalance_order set mint = 'mint'`);
  expect((await differences())[0]).toBe('rebalance_order: 1 rows missing, 1 too many');
});

it('compares the tags that accounts have, whenever they were seen, and changes that have an event to the slot', async () => {
  await writeChange(one, 5, 'liquidation_tag', { taggedAt: '50', version: '7' });
  await writeChange(other, 6, 'liquidation_tag', { taggedAt: '50', version: 'Infinity' });
  // One of the two missed it.
  await writeChange(one, 7, 'liquidation_tag', { taggedAt: null, version: '7' });
  await writeChange(one, 8, 'liquidation_tag', { taggedAt: '90', version: '7' });
  expect(await differences()).toEqual(['tags: 1 rows missing, 1 too many', '  - account 90', '  + account 50']);
  await writeChange(other, 9, 'liquidation_tag', { taggedAt: '90', version: 'Infinity' });
  expect(await differences()).toEqual([]);
  await writeChange(one, 9, 'premium_tag', {});
  await writeChange(other, 10, 'premium_tag', {});
  expect((await differences())[0]).toBe('group_change: 1 rows missing, 1 too many');
});
