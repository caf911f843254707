import type { Address, Slot } from '@solana/kit';

/** A reading of a wallet that is durable. */
export interface WalletReading {
  /** When it was asked for, in milliseconds of `performance.now()`, as all times here. */
  readonly startMs: number;
  readonly slot: Slot;
}

/** Which followed wallets are to be read next: those that changed, and each one now and then. */
export interface DueWallets {
  readonly size: number;
  /** Knows the wallet from now on; whoever adds it reads it first. */
  add(wallet: Address, nowMs: number): void;
  delete(wallet: Address): void;
  /** Something happened to it: in this slot or before, or (null) before now. */
  note(wallet: Address, slot: Slot | null, nowMs: number): void;
  /** Those to be read now, at most so many. */
  next(nowMs: number, most: number): readonly Address[];
  settle(wallet: Address, reading: WalletReading): void;
  /** It could not be read: others are read before it is tried again. */
  fail(wallet: Address, nowMs: number): void;
}

/** A wallet that changes all the time is not read more often than this. */
const SOONEST_MS = 1_000;
const RETRY_MS = 5_000;
/** The part of what is read at once that wallets which changed may take while others wait: the others are read, too. */
const MOST_CHANGED = 0.75;

interface State {
  /** When its last reading began. */
  readMs: number;
  /** Not before; after a failure. */
  heldMs: number;
  /** What its last reading may not have seen: when it was heard of, and of which slot it is, where that is known. */
  news: { readonly heardMs: number; readonly slot: Slot | null } | null;
}

export function createDueWallets(everyMs: number): DueWallets {
  const wallets = new Map<Address, State>();
  const dueMs = ({ readMs, heldMs, news }: State) => Math.max(heldMs, readMs + (news === null ? everyMs : SOONEST_MS));

  return {
    get size() {
      return wallets.size;
    },
    add(wallet, nowMs) {
      if (!wallets.has(wallet)) wallets.set(wallet, { readMs: nowMs, heldMs: 0, news: null });
    },
    delete: (wallet) => void wallets.delete(wallet),
    note(wallet, slot, nowMs) {
      const state = wallets.get(wallet);
      if (state === undefined) return;
      state.news = { heardMs: nowMs, slot: state.news === null ? slot : later(state.news.slot, slot) };
    },
    next(nowMs, most) {
      const due = [...wallets].filter(([, state]) => dueMs(state) <= nowMs).sort(([, a], [, b]) => dueMs(a) - dueMs(b));
      const changed = due.filter(([, { news }]) => news !== null);
      const others = due.filter(([, { news }]) => news === null);
      const first = changed.slice(0, Math.max(Math.ceil(most * MOST_CHANGED), most - others.length));
      return [...first, ...others].slice(0, most).map(([wallet]) => wallet);
    },
    settle(wallet, { startMs, slot }) {
      const state = wallets.get(wallet);
      if (state === undefined) return;
      state.readMs = startMs;
      state.heldMs = 0;
      const { news } = state;
      if (news !== null && (news.heardMs <= startMs || (news.slot !== null && news.slot <= slot))) state.news = null;
    },
    fail(wallet, nowMs) {
      const state = wallets.get(wallet);
      if (state !== undefined) state.heldMs = nowMs + Math.min(everyMs, RETRY_MS);
    },
  };
}

/** Null: it is not known when. */
function later(one: Slot | null, other: Slot | null): Slot | null {
  if (one === null || other === null) return null;
  return one > other ? one : other;
}
