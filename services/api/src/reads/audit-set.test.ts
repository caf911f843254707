import { createLogger, createMetrics } from '@lending/runtime';
import type { BankAuditRow } from '@lending/store';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { auditRow, differingRow } from '../testing/audit-row.ts';
import { SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
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
