import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '@lending/runtime';
import type { AccountRow } from '@lending/store';
import { type AccountValue, valueAccount } from '#reads/account-value.ts';
import { oldestReading } from '#reads/as-of.ts';
import { describeHealth, liquidationPointsOf } from '#reads/health-record.ts';
import type { MeasureSnapshot } from '#reads/measure-set.ts';
import type { HealthFigures } from '#records/health-fields.ts';
import { measuresOf } from '#tools/account-answer.ts';
import type { PartHooks, StreamPart } from './stream-part.ts';
import type { HealthStatus } from './stream-position.ts';

/** The health of every account that somebody hears of, valued once for all of them. */
export interface HealthFeed {
  /** Prices or books of banks changed. */
  takeMeasures(snapshot: Pick<MeasureSnapshot, 'measured'>): void;
  takeAccounts(rows: readonly AccountRow[]): void;
  /** Begins with each status, unless it is the one that was told last. */
  subscribe(
    accounts: readonly AccountRow[],
    told: readonly (HealthStatus | null)[],
    hooks: PartHooks,
  ): StreamPart<'health', readonly (HealthStatus | null)[]>;
  readonly heard: () => readonly string[];
  readonly isHeard: (account: string) => boolean;
}

interface HeardAccount {
  readonly listeners: Set<(account: string) => void>;
  row: AccountRow;
  /** Null before it was valued, and of an account that was closed. */
  value: AccountValue | null;
  status: HealthStatus | null;
  /** Made when it is told. */
  figures: HealthFigures | null;
}

/** Changes of one moment come one after the other: they are valued together. */
const DEBOUNCE_MS = 50;
/** Accounts valued before others get their turn: some milliseconds. */
const VALUED_AT_ONCE = 50;

export function createHealthFeed({ logger }: { readonly logger: Pick<Logger, 'error'> }): HealthFeed {
  const heard = new Map<string, HeardAccount>();
  const due = new Set<string>();
  let measures: Pick<MeasureSnapshot, 'measured'> | null = null;
  let isDue = false;

  function value(address: string, account: HeardAccount): void {
    if (measures === null) return;
    account.value = account.row.is_closed ? null : valueAccount(account.row, measures, momentIn(measures, account.row));
    account.figures = null;
    const status = account.value === null ? null : statusOf(account.value);
    if (status === account.status) return;
    account.status = status;
    for (const mark of account.listeners) mark(address);
  }

  /** One account that cannot be valued keeps the status told last, and holds up no other. */
  function tryToValue(address: string, account: HeardAccount): void {
    try {
      value(address, account);
    } catch (error) {
      logger.error('live.health.skip', { account: address, error });
    }
  }

  async function valueDue(): Promise<void> {
    let valued = 0;
    for (const address of due) {
      due.delete(address);
      const account = heard.get(address);
      if (account === undefined) continue;
      tryToValue(address, account);
      valued += 1;
      if (valued % VALUED_AT_ONCE === 0) await nextTurn();
    }
    isDue = false;
  }

  function valueSoon(addresses: Iterable<string>): void {
    for (const address of addresses) due.add(address);
    if (due.size === 0 || isDue) return;
    isDue = true;
    setTimeout(() => void valueDue(), DEBOUNCE_MS).unref();
  }

  function figuresOf(account: HeardAccount): HealthFigures | null {
    if (account.value === null) return null;
    account.figures ??= describeHealth(account.value, liquidationPointsOf(account.value));
    return account.figures;
  }

  return {
    takeMeasures(snapshot) {
      measures = snapshot;
      valueSoon(heard.keys());
    },
    takeAccounts(rows) {
      const changed = rows.filter((row) => {
        const account = heard.get(row.address);
        if (account === undefined || row.slot < account.row.slot) return false;
        account.row = row;
        return true;
      });
      valueSoon(changed.map(({ address }) => address));
    },
    subscribe(accounts, toldBefore, { wake, conflated }) {
      const asked = accounts.map(({ address }) => address);
      const pending = new Set<string>();
      const told = new Map<string, HealthStatus>();
      const mark = (account: string): void => {
        if (pending.has(account)) conflated();
        pending.add(account);
        wake();
      };
      for (const [index, row] of accounts.entries()) {
        const account = heard.get(row.address) ?? {
          listeners: new Set(),
          row,
          value: null,
          status: null,
          figures: null,
        };
        heard.set(row.address, account);
        if (row.slot >= account.row.slot) account.row = row;
        value(row.address, account);
        account.listeners.add(mark);
        const before = toldBefore[index] ?? null;
        if (before !== null) told.set(row.address, before);
        pending.add(row.address);
      }
      return {
        next() {
          for (const address of pending) {
            pending.delete(address);
            const account = heard.get(address);
            const from = told.get(address) ?? null;
            const health = account === undefined ? null : figuresOf(account);
            // Back where it was before anybody read of it, or closed.
            if (health === null || health.status === from) continue;
            told.set(address, health.status);
            return { account: address, from, to: health.status, health };
          }
          return null;
        },
        position: () => asked.map((address) => told.get(address) ?? null),
        close() {
          for (const address of asked) {
            const account = heard.get(address);
            account?.listeners.delete(mark);
            if (account?.listeners.size === 0) heard.delete(address);
          }
        },
      };
    },
    heard: () => [...heard.keys()],
    isHeard: (account) => heard.has(account),
  };
}

/** Unix seconds of the oldest measure that an account is valued with, as answers date it; null where it holds nothing measured. */
function momentIn(measures: Pick<MeasureSnapshot, 'measured'>, row: AccountRow): bigint | null {
  const oldest = oldestReading(measuresOf([row], measures));
  return oldest === null ? null : BigInt(Math.floor(oldest.timeMs / 1000));
}

/** As `describeHealth` says it, without the rest. */
function statusOf({ health, unknown }: AccountValue): HealthStatus {
  return unknown.length > 0 ? 'unknown' : health.status;
}
