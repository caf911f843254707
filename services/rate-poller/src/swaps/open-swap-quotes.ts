import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageSource } from '@lending/events';
import { createOutage, type Logger, type Metrics, type Outage, type SourceBoard, watchedFetch } from '@lending/runtime';
import { type AggregatorSettings, readAggregatorHosts } from '@lending/transactions/swaps/aggregator-settings.ts';
import {
  createSwapQuoter,
  type SwapQuoter,
  type SwapQuoterOptions,
} from '@lending/transactions/swaps/create-swap-quoter.ts';
import { NOT_SHOWN } from './not-shown.ts';
import type { QuoteClock, RecallQuotes } from './run-swap-quotes.ts';

/** Who is asked what swaps give, and how often. */
export interface SwapQuoting extends Pick<SwapQuoterOptions, 'urls' | 'keys'> {
  /** From one request to the next, ms. */
  readonly everyMs: number;
  /** From there to the first request of a pair that was quoted before, ms; default: no longer. */
  readonly renewMs?: number;
  /** Default: nothing is known of before. */
  readonly recall?: RecallQuotes;
}

/**
 * Jupiter answers 30 requests a minute of whoever brings no key, counted by address: most are left to builders behind the same one. The
 * local chain's doubles answer at once, so every pair has its first quote within minutes; renewing 300 of them at that pace took a third
 * of what an idle process takes.
 */
const PACE: Readonly<Record<MessageSource, Pick<SwapQuoting, 'everyMs' | 'renewMs'>>> = {
  chain: { everyMs: 5_000 },
  localnet: { everyMs: 100, renewMs: 3_000 },
};

/** What the settings say; null where nobody is to be asked. */
export function readSwapQuoting(
  settings: AggregatorSettings & { readonly SWAP_QUOTE_EVERY_MS?: number | undefined },
  source: MessageSource,
  recall: RecallQuotes,
): SwapQuoting | null {
  const { JUPITER_URL: jupiter = null, DFLOW_URL: dflow = null, SWAP_QUOTE_EVERY_MS: asked } = settings;
  const pace = asked === undefined ? PACE[source] : { everyMs: asked };
  const hosts = readAggregatorHosts(settings);
  // What is traded on mainnet says nothing of a local chain: there only those are asked that somebody named.
  const urls = source === 'chain' ? hosts.urls : { jupiter, dflow };
  const isAnybody = urls.jupiter !== null || urls.dflow !== null;
  return pace.everyMs === 0 || !isAnybody ? null : { urls, keys: hosts.keys, ...pace, recall };
}

export interface OpenQuoterOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Where it is kept how they stand; default: nowhere. */
  readonly sources?: Pick<SourceBoard, 'aggregatorAnswered'>;
  /** Ms since 1970; default: as the machine counts. */
  readonly now?: () => number;
}

/** A quoter that counts what it is answered, and says when an aggregator is down. Rates do without it: no readiness hangs on it. */
export function openSwapQuoter(
  { urls, keys }: SwapQuoting,
  { logger, metrics, sources, now = Date.now }: OpenQuoterOptions,
): SwapQuoter {
  const asked = metrics.counter({
    name: 'swap.quote.ask',
    help: 'Requests for quotes, by aggregator and how they ended',
    labels: ['aggregator', 'outcome'],
  });
  const outages = new Map<string, Outage>();
  const outageOf = (aggregator: string): Outage => {
    const known = outages.get(aggregator);
    if (known !== undefined) return known;
    const outage = createOutage({
      component: NOT_SHOWN,
      logger: logger.child({ aggregator }),
      failEvent: 'swap.quote.fail',
      resumeEvent: 'swap.quote.resume',
    });
    outages.set(aggregator, outage);
    return outage;
  };
  const hooks: Pick<SwapQuoterOptions, 'onAnswer' | 'onOutage'> = {
    onAnswer: (aggregator, outcome) => asked.inc({ aggregator, outcome }),
    onOutage: (aggregator, error) =>
      error === null ? outageOf(aggregator).recovered() : outageOf(aggregator).failed(error),
  };
  return createSwapQuoter({ urls, keys, now, ...(sources && { fetch: watchedFetch(sources) }), ...hooks });
}

export const MACHINE_CLOCK: QuoteClock = {
  now: Date.now,
  sleep: (ms, signal) =>
    sleep(ms, undefined, { signal }).then(
      () => undefined,
      () => undefined,
    ),
};
