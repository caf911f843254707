import type { Address } from '@solana/kit';
import type { Aggregator, Asked } from '../aggregators/aggregator.ts';
import { failed } from '../aggregators/ask-aggregator.ts';
import { checkQuote } from '../checks/check-quote.ts';
import { checkRoute } from '../checks/check-route.ts';
import type { AggregatorKeys, SwapRequest } from '../swap-finder.ts';
import type { AggregatorName, SwapQuery, TriedSwap } from '../swap-route.ts';
import type { Attempt } from './attempt.ts';
import type { CoolDowns } from './cool-downs.ts';
import type { Rung } from './rungs.ts';

/** Something about an aggregator, for the operator. */
export interface SwapNotice {
  readonly aggregator: AggregatorName;
  readonly reason: NonNullable<TriedSwap['reason']>;
  readonly detail: string;
  readonly requestId: string | null;
}

/** What finding needs besides the request. */
export interface FindContext {
  readonly aggregators: readonly Aggregator[];
  readonly keys: AggregatorKeys;
  readonly swapPrograms: ReadonlySet<Address>;
  readonly deadlineMs: number;
  readonly patienceMs: number;
  readonly coolDowns: CoolDowns;
  readonly now: () => number;
  readonly onNotice: (notice: SwapNotice) => void;
}

/** Header values that `fetch` would throw at, quoting them, are no keys. */
const KEY = /^[\x21-\x7e]{1,512}$/;

/** Asks one aggregator for one amount, and judges what it offers. */
export async function lookAt(
  aggregator: Aggregator,
  query: SwapQuery,
  request: SwapRequest,
  context: FindContext,
  signal: AbortSignal,
): Promise<Attempt> {
  const { name } = aggregator;
  const asked = await ask(aggregator, query, request, context, signal);
  if (asked.kind === 'failed') {
    const { reason, detail, retryAtMs } = asked;
    tell(reason, detail, null);
    return { kind: 'failed', aggregator: name, reason, retryAtMs };
  }
  const { offer } = asked;
  const checked = await check();
  if (checked.kind === 'passed') return { kind: 'candidate', route: checked.route };
  const { reason } = checked;
  const { inBase, outBase, requestId } = offer.quote;
  const detail = `${inBase} for ${outBase} by ${offer.quote.labels.join(' > ')}`;
  tell(reason, detail, requestId);
  return { kind: 'refused', aggregator: name, reason, inBase, outBase };

  function tell(why: SwapNotice['reason'], said: string, id: string | null) {
    context.onNotice({ aggregator: name, reason: why, detail: said, requestId: id });
  }

  function check() {
    const found = checkQuote(offer, query, request);
    if (found !== null) return { kind: 'refused', reason: found } as const;
    const { swapPrograms } = context;
    const { protectedAccounts, lendingAccount } = request;
    return checkRoute(offer, query, { swapPrograms, protectedAccounts, lendingAccount });
  }
}

async function ask(
  aggregator: Aggregator,
  query: SwapQuery,
  { keys }: SwapRequest,
  { keys: own, coolDowns, now }: FindContext,
  signal: AbortSignal,
): Promise<Asked> {
  const { name } = aggregator;
  const key = keys[name] ?? own[name];
  if (key === null && !aggregator.isKeyless) return failed('no_key', 'asked with a key only');
  if (key !== null && !KEY.test(key)) return failed('key_refused', 'not a key');
  const cooling = coolDowns.until(name, key, now());
  if (cooling !== null) return failed('rate_limited', 'not asked: its limit was reached', cooling);
  if (signal.aborted) return failed('timed_out', 'no time left');
  const asked = await aggregator.ask(query, { key, signal });
  if (asked.kind === 'failed' && asked.reason === 'rate_limited' && asked.retryAtMs !== null) {
    coolDowns.start(name, key, asked.retryAtMs);
  }
  return asked;
}

/** What an aggregator is asked at one step of the ladder. */
export function queryOf(request: SwapRequest, inBase: bigint, rung: Rung, forBundle: boolean): SwapQuery {
  const { inMint, outMint, slippageBps, taker, source, destination } = request;
  return { inMint, outMint, inBase, slippageBps, taker, source, destination, ...rung, forBundle };
}
