import type { Metrics } from '@lending/runtime';
import type { SwapPair } from './swap-pairs.ts';

/** How old what is known of swaps has grown, as metrics. */
export interface QuoteAges {
  /** The pairs that count from now on. */
  follow(pairs: readonly SwapPair[]): void;
  quoted(pair: SwapPair, atMs: number): void;
  /** Whether it was ever quoted. */
  isQuoted(pair: SwapPair): boolean;
  /** When pairs were quoted before this process began, ms since 1970, by key. */
  recall(quoted: ReadonlyMap<string, number>): void;
}

export function createQuoteAges({
  metrics,
  now,
}: {
  readonly metrics: Metrics;
  readonly now: () => number;
}): QuoteAges {
  const quotedMs = new Map<string, number>();
  let followed: readonly SwapPair[] = [];
  const known = () => followed.flatMap(({ key }) => quotedMs.get(key) ?? []);
  metrics.gauge({ name: 'swap.pair.list', help: 'Pairs of mints that loops swap', collect: () => followed.length });
  metrics.gauge({
    name: 'swap.pair.wait',
    help: 'Of these, pairs that were never quoted',
    collect: () => followed.length - known().length,
  });
  metrics.gauge({
    name: 'swap.quote.age.seconds',
    help: 'Age of the oldest quotes of these; 0 while there are none',
    collect: () => known().reduce((oldest, atMs) => Math.max(oldest, (now() - atMs) / 1_000), 0),
  });
  return {
    follow(pairs) {
      followed = pairs;
    },
    quoted: ({ key }, atMs) => void quotedMs.set(key, atMs),
    isQuoted: ({ key }) => quotedMs.has(key),
    recall(quoted) {
      for (const [key, atMs] of quoted) if (!quotedMs.has(key)) quotedMs.set(key, atMs);
    },
  };
}
