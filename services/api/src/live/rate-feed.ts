import type { BankSnapshot } from '#reads/bank-snapshot.ts';
import type { ReserveSnapshot } from '#reads/reserve-snapshot.ts';
import type { LiveRecords } from '#records/live-fields.ts';
import type { LiveQuestion } from './live-hub.ts';
import type { PartHooks, StreamPart } from './stream-part.ts';

type LiveRate = LiveRecords['rate'];

/** The newest rates of every bank and reserve, and who hears of them. */
export interface RateFeed {
  takeBanks(snapshot: Pick<BankSnapshot, 'entries'>): void;
  takeReserves(snapshot: Pick<ReserveSnapshot, 'entries'>): void;
  /** Begins with all that was sampled after a time of the chain; null: with all. */
  subscribe(asked: LiveQuestion['rates'], afterMs: number | null, hooks: PartHooks): StreamPart<'rate', number | null>;
  /** Whether somebody hears of reserves, which are many and else not read. */
  readonly areReservesHeard: () => boolean;
}

/**
 * Samples of one moment reach the tables one after the other, some of them late: who asks again is told once more what was sampled
 * shortly before the newest he heard. Rates are states, so that hearing one twice is nothing new.
 */
const OVERLAP_MS = 60_000;

interface Subscriber {
  readonly hears: (rate: LiveRate) => boolean;
  readonly mark: (address: string) => void;
  readonly areReservesAsked: boolean;
}

export function createRateFeed(): RateFeed {
  const rates = new Map<string, LiveRate>();
  const subscribers = new Set<Subscriber>();
  let newestMs = 0;

  function take(entries: BankSnapshot['entries'] | ReserveSnapshot['entries'], of: LiveRate['of']): void {
    for (const [address, { record, reading, isSampled }] of entries) {
      const slot = Number(reading.slot);
      const known = rates.get(address);
      if (!isSampled || (known !== undefined && slot <= known.slot)) continue;
      const { venue, symbol } = record;
      const time = new Date(reading.timeMs).toISOString();
      const rate: LiveRate = { address, of, venue, symbol, slot, time, rates: record.rates };
      rates.set(address, rate);
      newestMs = Math.max(newestMs, reading.timeMs);
      for (const { hears, mark } of subscribers) if (hears(rate)) mark(address);
    }
  }

  return {
    takeBanks: ({ entries }) => take(entries, 'bank'),
    takeReserves: ({ entries }) => take(entries, 'reserve'),
    subscribe(asked, afterMs, { wake, conflated }) {
      const hears = hearsOf(asked);
      const pending = new Set<string>();
      for (const rate of rates.values()) {
        if (hears(rate) && (afterMs === null || Date.parse(rate.time) > afterMs - OVERLAP_MS))
          pending.add(rate.address);
      }
      let toldMs = afterMs;
      const subscriber: Subscriber = {
        hears,
        mark(address) {
          if (pending.has(address)) conflated();
          pending.add(address);
          wake();
        },
        areReservesAsked: asked === 'all' || (asked !== 'banks' && asked.some((one) => rates.get(one)?.of !== 'bank')),
      };
      subscribers.add(subscriber);
      return {
        next() {
          for (const address of pending) {
            pending.delete(address);
            if (pending.size === 0) toldMs = newestMs;
            return rates.get(address) ?? null;
          }
          return null;
        },
        position: () => toldMs,
        close: () => void subscribers.delete(subscriber),
      };
    },
    areReservesHeard: () => [...subscribers].some(({ areReservesAsked }) => areReservesAsked),
  };
}

function hearsOf(asked: LiveQuestion['rates']): (rate: LiveRate) => boolean {
  if (asked === 'all') return () => true;
  if (asked === 'banks') return ({ of }) => of === 'bank';
  const addresses = new Set(asked);
  return ({ address }) => addresses.has(address);
}
