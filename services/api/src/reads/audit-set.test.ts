import { createLogger, createMetrics } from '@lending/runtime';
import type { BankAuditRow } from '@lending/store';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BANKS } from '../testing/account-rows.ts';
import { auditRow, CHAIN_TIME_MS, differingRow, SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { createTestApp, fakeStore, type TestAppOptions } from '../testing/test-app.ts';
import { AUDIT_OVERRULE, readOverrules } from './audit-overrule.ts';
import { type AuditSet, createAuditSet } from './audit-set.ts';

const logger = createLogger({ level: 'silent', name: 'test' });

let rows: readonly BankAuditRow[];
let asked: string[];
let nowMs: number;
let metrics: ReturnType<typeof createMetrics>;
let audits: AuditSet;

beforeEach(() => {
  rows = [];
  asked = [];
  nowMs = 0;
  metrics = createMetrics();
  const store = {
    async listBankAudits(source: string) {
      asked.push(source);
      return rows;
    },
  };
  audits = createAuditSet({ store, source: 'localnet', logger, metrics, now: () => nowMs });
});

describe('createAuditSet', () => {
  it('has each bank with its figures, and which of them are not trusted', async () => {
    rows = [auditRow(), differingRow({ figure: 'price' }), auditRow({ bank: USDC_BANK, differed: 3n })];
    const snapshot = await audits.get();
    expect([...snapshot.values()].map(({ bank, figures, unverified }) => [bank, figures.length, unverified])).toEqual([
      [SOL_BANK, 2, [rows[1]]],
      [USDC_BANK, 1, []],
    ]);
    expect(asked).toEqual(['localnet']);
  });

  it('asks once where nothing was compared yet, too', async () => {
    await audits.get();
    await audits.get();
    expect(asked).toHaveLength(1);
  });

  it('reads again when rows changed, and waits for it when it was not asked for long', async () => {
    await audits.get();
    rows = [differingRow()];
    audits.markChanged();
    await vi.waitFor(async () => expect((await audits.get()).size).toBe(1));
    rows = [];
    nowMs += 5_001;
    expect((await audits.get()).size).toBe(0);
  });

  it('sums figures over banks for the operator, and names no bank', async () => {
    rows = [
      differingRow({ compared: 10n, differed: 2n }),
      differingRow({ bank: USDC_BANK, compared: 5n, differed: 1n }),
      auditRow({ figure: 'price', compared: 7n }),
    ];
    await metrics.render();
    await audits.get();
    const text = await metrics.render();
    expect(text.match(/^audit_.*$/gm)).toEqual([
      'audit_figure_compare{figure="rates"} 15',
      'audit_figure_compare{figure="price"} 7',
      'audit_figure_differ{figure="rates"} 3',
      'audit_figure_differ{figure="price"} 0',
      'audit_bank_unverified{figure="rates"} 2',
      'audit_bank_unverified{figure="price"} 0',
    ]);
  });
});

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

const UNTIL = Date.parse('2027-01-31T12:00:00Z');

describe('readOverrules', () => {
  it('holds until the time is over, and for no other bank', () => {
    let nowMs = UNTIL - 1;
    const overruledUntil = readOverrules([`${SOL_BANK}@2027-01-31T12:00:00Z`], () => nowMs);
    expect([overruledUntil(SOL_BANK), overruledUntil(USDC_BANK)]).toEqual([UNTIL, null]);
    nowMs = UNTIL;
    expect(overruledUntil(SOL_BANK)).toBeNull();
  });

  it('takes the later entry of one bank, and times of any zone', () => {
    const items = [`${SOL_BANK}@2026-01-01T00:00Z`, `${SOL_BANK}@2027-01-31T14:00+02:00`];
    expect(readOverrules(items, () => UNTIL - 1)(SOL_BANK)).toBe(UNTIL);
  });

  it('overrules nothing where nothing is set', () => {
    expect(readOverrules(undefined, () => 0)(SOL_BANK)).toBeNull();
  });
});

describe('AUDIT_OVERRULE', () => {
  it.each([
    `${SOL_BANK}`,
    `${SOL_BANK}@`,
    `${SOL_BANK}@tomorrow`,
    `${SOL_BANK}@2027-01-31`,
    `${SOL_BANK}@2027-01-31T12:00:00`,
    `${SOL_BANK}@2027-13-31T12:00:00Z`,
    `${SOL_BANK}@2027-01-31T25:00:00Z`,
    'SOL@2027-01-31T12:00:00Z',
  ])('does not take %s', (item) => {
    expect(AUDIT_OVERRULE.test(item)).toBe(false);
  });

  it.each(['2027-01-31T12:00Z', '2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z', '2027-01-31T12:00:00-05:30'])(
    'takes %s, which is a time',
    (time) => {
      expect(AUDIT_OVERRULE.test(`${SOL_BANK}@${time}`)).toBe(true);
      expect(Date.parse(time)).not.toBeNaN();
    },
  );
});
