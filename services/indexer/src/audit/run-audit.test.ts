import type { AuditRow } from '@lending/audit';
import { createLineLogger } from '@lending/fakes';
import { createReadiness } from '@lending/runtime';
import { afterEach, describe, expect, it } from 'vitest';
import { bankAddress } from '#testing/messages.ts';
import { type RunAuditOptions, runAudit } from './run-audit.ts';

const ROW: AuditRow = {
  bank: bankAddress(1),
  figure: 'rates',
  compared: 3n,
  differed: 1n,
  largestUnits: 1n,
  lastUnits: -1n,
  slot: 7n,
  agreedInRow: 0,
  unverifiedSince: 7n,
  lastDifference: null,
};

let stopping = new AbortController();
afterEach(() => {
  stopping.abort();
  stopping = new AbortController();
});

/** Runs over an auditor that has found this row. */
function start(given: Partial<RunAuditOptions>) {
  const { logger, lines } = createLineLogger();
  const recalled: (readonly AuditRow[])[] = [];
  const published: unknown[] = [];
  let found: readonly AuditRow[] = [ROW];
  const auditor = {
    recall: (rows: readonly AuditRow[]) => void recalled.push(rows),
    take() {
      const rows = found;
      found = [];
      return rows;
    },
    putBack(rows: readonly AuditRow[]) {
      found = rows;
    },
  };
  const options: RunAuditOptions = {
    bus: { publish: async (messages) => void published.push(...messages.map(({ payload }) => payload)) },
    source: 'localnet',
    recall: async () => [ROW],
    timeOf: () => 1_700_000_000n,
    publishMs: 1,
    logger,
    readiness: createReadiness(),
    ...given,
  };
  void runAudit(auditor, options, stopping.signal);
  return { recalled, published, lines };
}

describe('runAudit', () => {
  it('publishes what was found once it knows what was found before', async () => {
    let fails = true;
    const recall = async () => {
      if (fails) throw new Error('no database');
      return [ROW];
    };
    const { recalled, published, lines } = start({ recall });
    await expect.poll(() => lines).toMatchObject([{ event: 'bank.audit.fail' }]);
    expect([recalled, published]).toEqual([[], []]);
    fails = false;
    await expect.poll(() => published).toMatchObject([{ bank: ROW.bank, unverifiedSince: '7' }]);
    expect(recalled).toEqual([[ROW]]);
  });

  it('publishes it when the log is back', async () => {
    let tries = 0;
    const publish = async () => {
      tries += 1;
      if (tries < 2) throw new Error('no log');
    };
    const { lines } = start({ bus: { publish } });
    const events = () => lines.map(({ event }) => event);
    await expect.poll(events).toEqual(['bank.audit.fail', 'bank.audit.resume']);
    expect(tries).toBe(2);
  });

  it('looks again what other processes found', async () => {
    const { recalled } = start({ recallMs: 5 });
    await expect.poll(() => recalled.length).toBeGreaterThan(2);
  });
});
