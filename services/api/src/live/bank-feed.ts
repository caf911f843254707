import type { BankEntry, BankSnapshot } from '#reads/bank-snapshot.ts';
import type { LiveRecords } from '#records/live-fields.ts';
import type { LiveQuestion } from './live-hub.ts';
import type { PartHooks, StreamPart } from './stream-part.ts';
import { digestOf } from './stream-position.ts';

type LiveBank = LiveRecords['bank'];

/** The states of all banks, and who hears of changes. */
export interface BankFeed {
  /** One older than another that was taken changes nothing. */
  take(snapshot: Pick<BankSnapshot, 'entries' | 'version'>): void;
  /** Begins with all of them, unless they are what a position says was told. */
  subscribe(asked: LiveQuestion['banks'], after: string | null, hooks: PartHooks): StreamPart<'bank', string | null>;
}

interface BankState {
  readonly bank: LiveBank['bank'];
  /** What a change of is told, by the name of the field that shows it. Caps are compared as the bank has them: their worth moves with prices. */
  readonly watched: Readonly<Record<string, string>>;
}

const DIGEST_LENGTH = 8;

export function createBankFeed(): BankFeed {
  const states = new Map<string, BankState>();
  const subscribers = new Set<(address: string, changed: readonly string[]) => void>();
  let newest = Number.NEGATIVE_INFINITY;
  let version = 0;

  return {
    take({ entries, version: loaded }) {
      if (loaded <= newest) return;
      newest = loaded;
      for (const [address, entry] of entries) {
        const state = stateOf(entry);
        const before = states.get(address);
        states.set(address, state);
        const changed = changedFields(before?.watched, state.watched);
        if (before !== undefined && changed.length === 0) continue;
        version += 1;
        for (const mark of subscribers) mark(address, changed);
      }
    },
    subscribe(asked, after, { wake, conflated }) {
      const addresses = asked === 'all' ? null : new Set(asked);
      const hears = (address: string) => addresses === null || addresses.has(address);
      /** What changed since each was told. */
      const pending = new Map<string, ReadonlySet<string>>();
      const told = new Set<string>();
      let digest = after;
      let digestVersion = -1;

      /** All states asked for, in a few characters: which of them changed meanwhile, nobody has to remember. */
      function currentDigest(): string {
        const heard = [...states].filter(([address]) => hears(address)).toSorted(([a], [b]) => (a < b ? -1 : 1));
        return digestOf(
          heard.map(([address, { watched }]) => [address, watched]),
          DIGEST_LENGTH,
        );
      }

      if (after === null || after !== currentDigest()) {
        for (const address of states.keys()) if (hears(address)) pending.set(address, new Set());
      } else {
        for (const address of states.keys()) told.add(address);
      }
      const mark = (address: string, changed: readonly string[]): void => {
        if (!hears(address)) return;
        const before = pending.get(address);
        if (before !== undefined) conflated();
        pending.set(address, new Set([...(before ?? []), ...changed]));
        wake();
      };
      subscribers.add(mark);
      return {
        next() {
          for (const [address, changed] of pending) {
            pending.delete(address);
            const state = states.get(address);
            if (state === undefined) continue;
            const isFirst = !told.has(address);
            told.add(address);
            return { changed: isFirst ? [] : [...changed], bank: state.bank };
          }
          return null;
        },
        position() {
          if (pending.size === 0 && digestVersion !== version) {
            digest = currentDigest();
            digestVersion = version;
          }
          return digest;
        },
        close: () => void subscribers.delete(mark),
      };
    },
  };
}

function stateOf({ record, row }: BankEntry): BankState {
  const { address, symbol, venue, operational_state, borrowable, actions_allowed, size } = record;
  return {
    bank: { address, symbol, venue, operational_state, borrowable, actions_allowed, size },
    watched: {
      operational_state,
      borrowable: String(borrowable),
      actions_allowed: actions_allowed.join(),
      'size.deposit_limit_usd': String(row.deposit_limit_base),
      'size.borrow_limit_usd': String(row.borrow_limit_base),
    },
  };
}

function changedFields(before: BankState['watched'] | undefined, now: BankState['watched']): readonly string[] {
  return before === undefined ? [] : Object.keys(now).filter((name) => before[name] !== now[name]);
}
