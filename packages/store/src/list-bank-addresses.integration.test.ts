import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { listBankAddresses } from './list-bank-addresses.ts';
import { upsertBankRejections } from './upsert-bank-rejections.ts';

const database = useDatabase({ per: 'test' });
const SEEN = { source: 'chain', slot: 100n, slotTime: '2026-11-21T10:00:00.000Z' } as const;

/** A row of `bank` as only its key, group and source matter here. */
async function writeBank(address: string, group = 'group', source = 'chain'): Promise<void> {
  await sql`
    insert into bank (
      address, group_address, venue, mint, decimals, asset_tag, operational_state, risk_tier, asset_weight_init,
      asset_weight_maint, liability_weight_init, liability_weight_maint, origination_fee, flags, emode, oracle_setup,
      oracle_max_age_seconds, rate_curve, source, slot, slot_time
    ) values (
      ${address}, ${group}, 'p0', 'mint', 6, 0, 'Operational', 'Collateral', 1, 1, 1, 1, 0, 0, '{}', 'None', 60, '[]',
      ${source}, 100, now()
    )
  `.execute(database.db);
}

function reject(bank: string, reason: string): Promise<void> {
  return database.db
    .transaction()
    .execute((transaction) => upsertBankRejections(transaction, [{ ...SEEN, slot: 101n, bank, reason }]));
}

const list = () => listBankAddresses(database.db, { group: 'group', source: 'chain' });

describe('listBankAddresses', () => {
  it('lists the banks of one group on one chain, by address', async () => {
    await writeBank('bank-b');
    await writeBank('bank-a');
    await writeBank('bank-c', 'another group');
    await writeBank('bank-d', 'group', 'localnet');
    expect(await list()).toEqual(['bank-a', 'bank-b']);
  });

  it('leaves out a bank that is known to be gone, and no other that is rejected', async () => {
    await writeBank('bank-a');
    await writeBank('bank-b');
    await reject('bank-a', 'account_gone');
    await reject('bank-b', 'account_malformed');
    expect(await list()).toEqual(['bank-b']);
  });
});
