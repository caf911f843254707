import type { BankAuditRow } from '@lending/store';
import { describe, expect, it } from 'vitest';
import { BANKS } from '../testing/account-rows.ts';
import { auditRow, differingRow } from '../testing/audit-row.ts';
import { CHAIN_TIME_MS, SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { createTestApp, fakeStore, type TestAppOptions } from '../testing/test-app.ts';

const status = { banks: 2, newest_slot: 400_001_000n, newest_time: new Date(CHAIN_TIME_MS), source: 'chain' as const };

function openApp(rows: readonly BankAuditRow[], options: Partial<TestAppOptions> = {}) {
  const store = fakeStore(BANKS, { readServiceStatus: async () => status, listBankAudits: async () => rows });
  return createTestApp({ store, ...options });
}

async function auditOf(rows: readonly BankAuditRow[], options: Partial<TestAppOptions> = {}) {
  return (await (await openApp(rows, options)).inject('/v1/status')).json().audit;
}

describe('audit of /v1/status', () => {
  it('shows every figure of every bank, those that are not trusted first', async () => {
    const audit = await auditOf([
      auditRow({ bank: USDC_BANK, compared: 5n }),
      auditRow({ figure: 'price' }),
      differingRow(),
    ]);
    expect(audit).toMatchObject({ compared: 829, differed: 1, unverified: 1 });
    const [first, second] = audit.banks;
    expect([first.bank, first.symbol, first.verified, first.overruled_until]).toEqual([SOL_BANK, 'SOL', false, null]);
    expect(first.figures).toEqual([
      expect.objectContaining({ figure: 'price', unverified_since: null, last_difference: null }),
      {
        figure: 'rates',
        compared: 412,
        differed: 1,
        largest_units: '432',
        last_units: '-432',
        slot: 400_001_000,
        unverified_since: 400_000_900,
        last_difference: {
          field: 'borrowing_rate',
          ours: '61000',
          theirs: '61432',
          bound: '0',
          account: null,
          slot: 400_000_900,
        },
      },
    ]);
    expect([second.bank, second.verified]).toEqual([USDC_BANK, true]);
  });

  it('says until when an operator overrules it', async () => {
    const overruledUntil = (bank: string) => (bank === SOL_BANK ? CHAIN_TIME_MS + 60_000 : null);
    const { banks } = await auditOf([differingRow(), auditRow({ bank: USDC_BANK })], { overruledUntil });
    expect(banks.map((each: { overruled_until: string | null }) => each.overruled_until)).toEqual([
      new Date(CHAIN_TIME_MS + 60_000).toISOString(),
      null,
    ]);
  });

  it('is null without a database, and empty where nothing was compared', async () => {
    expect(await auditOf([])).toEqual({ compared: 0, differed: 0, unverified: 0, banks: [] });
    const away = async () => {
      throw new Error('away');
    };
    const app = await createTestApp({ store: fakeStore(BANKS, { readServiceStatus: away }) });
    expect((await app.inject('/v1/status')).json().audit).toBeNull();
  });

  it('is the same over GraphQL, with counts that no Int holds', async () => {
    const app = await openApp([differingRow({ compared: 3_000_000_000n })]);
    const query =
      '{ status { audit { compared banks { bank figures { unverifiedSince } } } verifiedOnChain { kind at } } }';
    const { data } = (await app.inject({ method: 'POST', url: '/graphql', payload: { query } })).json();
    expect(data.status).toEqual({
      audit: { compared: 3_000_000_000, banks: [{ bank: SOL_BANK, figures: [{ unverifiedSince: 400_000_900 }] }] },
      verifiedOnChain: { kind: 'run', at: '2026-11-28T12:00:00Z' },
    });
  });
});
