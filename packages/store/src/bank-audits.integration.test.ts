import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { type BankAuditWrite, listBankAudits, upsertBankAudits } from './bank-audits.ts';

const database = useDatabase({ per: 'test' });

const AUDIT: BankAuditWrite = {
  bank: 'bank-a',
  figure: 'health',
  compared: '12',
  differed: '2',
  largestUnits: '340282366920938463463374607431768211455',
  lastUnits: '-5',
  agreedInRow: 1,
  unverifiedSince: '90',
  lastDifference: { field: 'asset_value', ours: '5', theirs: '10', bound: '1', account: 'account-a', slot: '90' },
  source: 'localnet',
  slot: 100n,
  slotTime: '2026-11-21T10:00:00.000Z',
};

function write(...audits: Partial<BankAuditWrite>[]): Promise<void> {
  const rows = audits.map((audit) => ({ ...AUDIT, ...audit }));
  return database.db.transaction().execute((transaction) => upsertBankAudits(transaction, rows));
}

describe('bank audits', () => {
  it('come back as they were written, of their own chain', async () => {
    await write(
      {},
      { figure: 'rates', unverifiedSince: null, lastDifference: null },
      { bank: 'other', source: 'chain' },
    );
    const common = { bank: 'bank-a', compared: 12n, differed: 2n, largest_units: AUDIT.largestUnits, last_units: '-5' };
    const seen = { ...common, agreed_in_row: 1, slot: 100n, slot_time: new Date('2026-11-21T10:00:00.000Z') };
    expect(await listBankAudits(database.db, { source: 'localnet' })).toEqual([
      { ...seen, figure: 'health', unverified_since: 90n, last_difference: AUDIT.lastDifference },
      { ...seen, figure: 'rates', unverified_since: null, last_difference: null },
    ]);
  });

  it('keep the newest of each figure however writes are ordered and repeated', async () => {
    await write({ slot: 3n, compared: '3' }, { slot: 5n, compared: '5' }, { slot: 4n, compared: '4' });
    await write({ slot: 5n, compared: '6' }, { slot: 1n, figure: 'rates', compared: '1' });
    await write({ slot: 4n, compared: '7' });
    const rows = await listBankAudits(database.db, { source: 'localnet' });
    expect(rows.map(({ figure, compared }) => [figure, compared])).toEqual([
      ['health', 6n],
      ['rates', 1n],
    ]);
  });

  it('keep what knows of more differences than another process, however late that comes', async () => {
    await write({ differed: '2', slot: 8n, compared: '1' }, { differed: '9', slot: 3n, compared: '2' });
    await write({ differed: '8', slot: 7n, compared: '3' });
    const stored = async () => (await listBankAudits(database.db, { source: 'localnet' })).map((row) => row.compared);
    expect(await stored()).toEqual([2n]);
    await write({ differed: '10', slot: 2n, compared: '4' });
    expect(await stored()).toEqual([4n]);
  });
});
