import type { Address } from '@solana/kit';
import type { Fetch } from '#cranks/fetch-json.ts';
import { createAggregators } from './create-aggregators.ts';
import { createCoolDowns } from './find/cool-downs.ts';
import { findSwap } from './find/find-swap.ts';
import type { SwapNotice } from './find/look-at.ts';
import type { AggregatorKeys, SwapFinder } from './swap-finder.ts';
import type { AggregatorName } from './swap-route.ts';

export interface SwapFinderOptions {
  /** Where each speaks from; null leaves it out. DFlow's production host is asked with a key only. */
  readonly urls: Readonly<Record<AggregatorName, string | null>>;
  /** The service's own, for callers who bring none. */
  readonly keys: AggregatorKeys;
  /** Programs that may swap: no route may call another one. */
  readonly swapPrograms: readonly Address[];
  /** How long aggregators may take for quotes, and again for tighter ones, ms; default 4 seconds. */
  readonly deadlineMs?: number;
  /** How long the others are waited for once one has offered a swap that will do, ms; default 1.5 seconds. */
  readonly patienceMs?: number;
  readonly fetch?: Fetch;
  readonly now?: () => number;
  readonly onNotice?: (notice: SwapNotice) => void;
}

/** Finds swaps over HTTP: all aggregators are asked at the same time, nothing that they say is believed. */
export function createSwapFinder(options: SwapFinderOptions): SwapFinder {
  const { fetch = globalThis.fetch, now = Date.now, urls } = options;
  const context = {
    aggregators: createAggregators(urls, { fetch, now }),
    keys: options.keys,
    swapPrograms: new Set(options.swapPrograms),
    deadlineMs: options.deadlineMs ?? 4_000,
    patienceMs: options.patienceMs ?? 1_500,
    coolDowns: createCoolDowns(),
    now,
    onNotice: options.onNotice ?? (() => {}),
  };
  return { find: (request) => findSwap(request, context) };
}
