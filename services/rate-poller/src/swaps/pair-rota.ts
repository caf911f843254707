import type { SwapPair } from './swap-pairs.ts';

/** Whose turn it is: a pair that was never asked for, in the order given, else the one that was asked for longest ago. */
export interface PairRota {
  /** Null where there is none, or all were asked for at this slot or a later one already: one slot has one answer. */
  next(pairs: readonly SwapPair[], slot: bigint): SwapPair | null;
  /** It had its turn, whatever came of it; ms since 1970. */
  asked(pair: SwapPair, slot: bigint, atMs: number): void;
  /** When pairs were last asked for before this process began, ms since 1970, by key. What is known of them already stays. */
  recall(asked: ReadonlyMap<string, number>): void;
}

export function createPairRota(): PairRota {
  const turns = new Map<string, { readonly atMs: number; readonly slot: bigint | null }>();
  return {
    next(pairs, slot) {
      let first: SwapPair | null = null;
      let firstMs = Number.POSITIVE_INFINITY;
      for (const pair of pairs) {
        const turn = turns.get(pair.key);
        const atMs = turn?.atMs ?? Number.NEGATIVE_INFINITY;
        if ((turn?.slot ?? -1n) >= slot || atMs >= firstMs) continue;
        [first, firstMs] = [pair, atMs];
      }
      return first;
    },
    asked: (pair, slot, atMs) => void turns.set(pair.key, { slot, atMs }),
    recall(asked) {
      for (const [key, atMs] of asked) if (!turns.has(key)) turns.set(key, { atMs, slot: null });
    },
  };
}
