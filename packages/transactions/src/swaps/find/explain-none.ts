import { LendingError } from '@lending/errors';
import type { TriedSwap } from '../swap-route.ts';
import type { Miss } from './attempt.ts';

/** What a finding that found nothing has tried. */
export interface NothingFound {
  readonly misses: readonly Miss[];
  readonly tried: readonly TriedSwap[];
  readonly tooLarge: readonly Error[];
}

/**
 * The error of a finding that found nothing: why the plan does not fit, if a swap would have done; that there is none, if somebody
 * looked; else that nobody answers.
 */
export function noSwap({ misses, tried, tooLarge }: NothingFound, nowMs: number): Error {
  const tightest = tooLarge.at(-1);
  if (tightest !== undefined) return tightest;
  const context = { tried: tried.map(toDetail) };
  if (misses.some(hasLooked)) {
    return new LendingError('ACTION__SWAP_UNAVAILABLE', {
      message: `No swap will do: ${wordsOf(misses)} — allowed: what the market gives within the limits of slippage, price impact and oracle prices — lower \`amount\`, or choose a more liquid pair`,
      context,
    });
  }
  const retryAt = misses.flatMap((miss) => (miss.kind === 'failed' && miss.retryAtMs !== null ? [miss.retryAtMs] : []));
  const retry =
    retryAt.length === 0 ? {} : { retry_after_s: Math.max(1, Math.ceil((Math.min(...retryAt) - nowMs) / 1_000)) };
  return new LendingError('SWAP__UNAVAILABLE', {
    message: `No aggregator of swaps answers: ${wordsOf(misses)} — allowed: the same call once one does — make it again in a few seconds, or with a key of your own in the header x-aggregator1-api-key`,
    context: { ...context, ...retry },
  });
}

/** Whether an aggregator answered the question. */
function hasLooked(miss: Miss): boolean {
  return miss.kind === 'refused' || miss.reason === 'no_route' || miss.reason === 'request_refused';
}

function toDetail({ aggregator, outcome, reason, inBase, outBase }: TriedSwap) {
  return { aggregator, outcome, reason, in_raw: inBase?.toString() ?? null, out_raw: outBase?.toString() ?? null };
}

const NAMES = { jupiter: 'Jupiter', dflow: 'DFlow' } as const;

/** The same reason of the same aggregator is told once. */
function wordsOf(misses: readonly Miss[]): string {
  const words = misses.map(({ aggregator, reason }) => `${NAMES[aggregator]} ${WORDS[reason]}`);
  return words.length === 0 ? 'none is configured' : [...new Set(words)].join('; ');
}

const WORDS: Readonly<Record<Miss['reason'], string>> = {
  no_key: 'is asked with a key only, and there is none',
  key_refused: 'does not take the key',
  rate_limited: 'has had as many requests as its limit allows',
  timed_out: 'did not answer in time',
  unreachable: 'cannot be reached',
  server_error: 'failed',
  request_refused: 'does not take the request',
  malformed_answer: 'answers in another shape than is known',
  no_route: 'has no route',
  wrong_pair: 'offers another pair of tokens',
  wrong_amount: 'offers another amount',
  wrong_slippage: 'offers another slippage',
  stale_quote: 'offers a quote that is too old',
  oracle_deviation: 'offers a price too far from the oracles’',
  price_impact: 'offers a price that the size moves too far',
  unknown_program: 'calls a program that is not known to swap',
  unexpected_instruction: 'sends an instruction that swaps nothing',
  foreign_signer: 'has somebody else sign',
  protected_account: 'writes an account that is none of its business',
  wrong_source: 'does not pay from the wallet’s token account',
  wrong_destination: 'does not pay into the wallet’s token account',
  unasked_fee: 'takes a fee that nobody asked for',
  too_many_accounts: 'needs more accounts than a transaction has',
  below_needed: 'is not sure to give what is needed',
  too_large: 'has no route that fits the transaction',
};
