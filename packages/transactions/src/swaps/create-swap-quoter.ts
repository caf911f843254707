import { LendingError } from '@lending/errors';
import type { Fetch } from '#cranks/fetch-json.ts';
import type { Aggregator, Quoted, SizeQuery } from './aggregators/aggregator.ts';
import { createAggregators } from './create-aggregators.ts';
import { createRests, type Rests } from './find/rests.ts';
import type { AggregatorKeys } from './swap-finder.ts';
import type { SwapFailure } from './swap-reasons.ts';
import type { AggregatorName } from './swap-route.ts';

export interface SwapQuoterOptions {
  /** Where each speaks from; null leaves it out. */
  readonly urls: Readonly<Record<AggregatorName, string | null>>;
  readonly keys: AggregatorKeys;
  /** How long aggregators may take, ms; default 8 seconds. */
  readonly deadlineMs?: number;
  readonly fetch?: Fetch;
  readonly now?: () => number;
  /** Told how each request ended. */
  readonly onAnswer?: (aggregator: AggregatorName, outcome: QuoteOutcome) => void;
  /** Told when an aggregator has failed several times on end, and (null) when it answers again. */
  readonly onOutage?: (aggregator: AggregatorName, error: LendingError | null) => void;
}

/** `not_believed`: more than the input is worth, or another trade than was asked for. */
export type QuoteOutcome = 'quoted' | 'not_believed' | SwapFailure;

/** How much of one mint is to be swapped for another. */
export interface SwapSize extends SizeQuery {
  /** Base units of the output above which a quote is not believed. */
  readonly mostOutBase: bigint;
}

/** What aggregators say of one size. Each is in one of the lists. */
export interface SwapAnswers {
  /** After all fees, the most first. */
  readonly quoted: readonly { readonly aggregator: AggregatorName; readonly outBase: bigint }[];
  readonly noRoute: readonly AggregatorName[];
  /** It answers, and nothing that can be used: it does not know a mint, or is not believed. Asking again changes nothing. */
  readonly refused: readonly AggregatorName[];
  /** It did not answer, or was not asked so soon after it failed. Asked again at `retryAtMs`, ms since 1970. */
  readonly failed: readonly {
    readonly aggregator: AggregatorName;
    readonly reason: SwapFailure;
    readonly retryAtMs: number;
  }[];
}

/** Asks what swaps give, without a wallet. */
export interface SwapQuoter {
  /** False where every aggregator wants a key that there is not: nobody would be asked. */
  readonly isAble: boolean;
  /** Asks all aggregators at the same time. Never throws; an abort is an aggregator that did not answer. */
  ask(size: SwapSize, signal: AbortSignal): Promise<SwapAnswers>;
}

/** So often on end, and it is no moment's limit any more. */
const OUTAGE_FAILURES = 3;

/**
 * Asks Jupiter, and DFlow where there is a key or another host. Who limits requests is left alone for as long as it says, who fails
 * longer each time; meanwhile the others are asked.
 */
export function createSwapQuoter(options: SwapQuoterOptions): SwapQuoter {
  const { urls, keys, fetch = globalThis.fetch, now = Date.now, deadlineMs = 8_000 } = options;
  const aggregators = createAggregators(urls, { fetch, now }).filter(
    ({ name, isKeyless }) => isKeyless || keys[name] !== null,
  );
  const rests = createRests();

  async function quoteOf(aggregator: Aggregator, size: SwapSize, signal: AbortSignal): Promise<Told> {
    const { name } = aggregator;
    const resting = rests.of(name, now());
    if (resting !== null) return { aggregator: name, kind: 'failed', ...resting };
    const quoted = judge(await aggregator.quote(size, { key: keys[name], signal }), size);
    options.onAnswer?.(name, quoted.outcome);
    follow(name, quoted, { ...options, rests });
    if (quoted.kind !== 'failed') return { aggregator: name, ...quoted };
    return { aggregator: name, kind: 'failed', ...rests.begin(name, quoted, now()) };
  }

  return {
    isAble: aggregators.length > 0,
    async ask(size, signal) {
      const ending = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
      const told = await Promise.all(aggregators.map((aggregator) => quoteOf(aggregator, size, ending)));
      const namesOf = (kind: Told['kind']) => told.flatMap((each) => (each.kind === kind ? [each.aggregator] : []));
      return {
        quoted: told
          .flatMap((each) => (each.kind === 'quoted' ? [each] : []))
          .map(({ aggregator, outBase }) => ({ aggregator, outBase }))
          .sort((one, other) => (one.outBase > other.outBase ? -1 : 1)),
        noRoute: namesOf('no_route'),
        refused: namesOf('refused'),
        failed: told
          .flatMap((each) => (each.kind === 'failed' ? [each] : []))
          .map(({ aggregator, reason, retryAtMs }) => ({ aggregator, reason, retryAtMs })),
      };
    },
  };
}

type Judged = { readonly outcome: QuoteOutcome } & (
  | { readonly kind: 'quoted'; readonly outBase: bigint }
  | { readonly kind: 'no_route' | 'refused' }
  | Extract<Quoted, { kind: 'failed' }>
);

type Told = { readonly aggregator: AggregatorName } & (
  | { readonly kind: 'quoted'; readonly outBase: bigint }
  | { readonly kind: 'no_route' | 'refused' }
  | { readonly kind: 'failed'; readonly reason: SwapFailure; readonly retryAtMs: number }
);

function judge(answer: Quoted, { inMint, outMint, inBase, mostOutBase }: SwapSize): Judged {
  if (answer.kind === 'failed') {
    const { reason: outcome } = answer;
    if (outcome === 'no_route') return { kind: 'no_route', outcome };
    return outcome === 'request_refused' ? { kind: 'refused', outcome } : { ...answer, outcome };
  }
  const { quote } = answer;
  const isAnother = quote.inMint !== inMint || quote.outMint !== outMint || quote.inBase !== inBase;
  if (isAnother || quote.outBase > mostOutBase) return { kind: 'refused', outcome: 'not_believed' };
  if (quote.outBase === 0n) return { kind: 'no_route', outcome: 'no_route' };
  return { kind: 'quoted', outcome: 'quoted', outBase: quote.outBase };
}

/** Tells an outage once it is one, and its end. */
function follow(
  name: AggregatorName,
  answer: Judged,
  { rests, onOutage }: Pick<SwapQuoterOptions, 'onOutage'> & { readonly rests: Rests },
): void {
  const failures = rests.failuresOf(name);
  if (answer.kind !== 'failed') {
    rests.end(name);
    if (failures >= OUTAGE_FAILURES) onOutage?.(name, null);
    return;
  }
  if (failures + 1 !== OUTAGE_FAILURES) return;
  const { reason, detail } = answer;
  onOutage?.(name, new LendingError('SWAP__UNAVAILABLE', { message: `${name} gives no quotes: ${reason}: ${detail}` }));
}
