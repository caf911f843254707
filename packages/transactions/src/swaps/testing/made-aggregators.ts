import { DFLOW_PROGRAM, findAssociatedTokenAccount, JUPITER_PROGRAM } from '@lending/programs';
import { addressOf } from '#compile/testing-instructions.ts';
import type { Fetch } from '#cranks/fetch-json.ts';
import { createSwapFinder, type SwapFinderOptions } from '../create-swap-finder.ts';
import type { SwapNotice } from '../find/look-at.ts';
import type { SwapRequest } from '../swap-finder.ts';
import type { AggregatorName } from '../swap-route.ts';
import { dflowInstructions, dflowQuote, jupiterBuild, jupiterQuote, type Trade } from './wire-answers.ts';

export const IN_MINT = addressOf(101);
export const OUT_MINT = addressOf(102);
export const TAKER = addressOf(103);
export const [SOURCE] = await findAssociatedTokenAccount(TAKER, IN_MINT);
export const [DESTINATION] = await findAssociatedTokenAccount(TAKER, OUT_MINT);
export const SLOT = 1_010n;
/** What one unit is worth at oracle prices. */
export const FAIR = 150n;

/** One request of the finder, as an aggregator's host sees it. */
export interface Call {
  readonly aggregator: AggregatorName;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly key: string | null;
  readonly body: unknown;
}

export interface MadeAggregator {
  /** Hundredths of a basis point that it gives less than is fair; default 0. */
  readonly lossPpm?: bigint;
  /** Pools' accounts of its routes; default 10, and never more than it is asked for. */
  readonly poolAccounts?: number;
  /** Another answer than its own; undefined leaves that. */
  answer?(call: Call, own: () => unknown): Response | Promise<Response> | undefined;
}

export const json = (body: unknown, init: ResponseInit = {}): Response => new Response(JSON.stringify(body), init);

export interface MadeFinder {
  readonly finder: ReturnType<typeof createSwapFinder>;
  readonly calls: Call[];
  readonly notices: SwapNotice[];
  /** What the aggregators are asked with. */
  readonly fetch: Fetch;
  /** Ms since 1970 of its clock. */
  time: number;
}

/** A finder whose aggregators are made: they give what is fair, less what they are told. */
export function makeFinder(
  made: Partial<Record<AggregatorName, MadeAggregator | null>> = {},
  options: Partial<SwapFinderOptions> = {},
): MadeFinder {
  const calls: Call[] = [];
  const notices: SwapNotice[] = [];
  const world = { calls, notices, time: 1_790_000_000_000 };
  const urls = { jupiter: 'https://jupiter.test', dflow: 'https://dflow.test' };
  const fetch: Fetch = async (url, init) => {
    const call = toCall(url, init);
    calls.push(call);
    const aggregator = made[call.aggregator] ?? {};
    init.signal?.throwIfAborted();
    const own = () => ownAnswer(call, aggregator);
    return (await aggregator.answer?.(call, own)) ?? json(own());
  };
  const finder = createSwapFinder({
    urls: { jupiter: made.jupiter === null ? null : urls.jupiter, dflow: made.dflow === null ? null : urls.dflow },
    keys: { jupiter: null, dflow: null },
    swapPrograms: [JUPITER_PROGRAM, DFLOW_PROGRAM],
    now: () => world.time,
    onNotice: (notice) => notices.push(notice),
    fetch,
    ...options,
  });
  return Object.assign(world, { finder, fetch });
}

function toCall(text: string, init: RequestInit): Call {
  const url = new URL(text);
  return {
    aggregator: url.hostname === 'jupiter.test' ? 'jupiter' : 'dflow',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    key: new Headers(init.headers).get('x-api-key'),
    body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
  };
}

function ownAnswer({ path, query, body }: Call, { lossPpm = 0n, poolAccounts = 10 }: MadeAggregator): unknown {
  if (path === '/swap-instructions') {
    const { quoteResponse: quoted } = body as { quoteResponse: ReturnType<typeof dflowQuote> };
    return dflowInstructions(
      tradeOf(BigInt(quoted.inAmount), BigInt(quoted.outAmount), quoted.slippageBps, poolAccounts),
    );
  }
  const inBase = BigInt(query.amount ?? '');
  const outBase = (inBase * FAIR * (1_000_000n - lossPpm)) / 1_000_000n;
  const accounts = Math.min(poolAccounts, Number(query.maxAccounts ?? poolAccounts));
  const trade = tradeOf(inBase, outBase, Number(query.slippageBps), accounts);
  if (path === '/swap/v2/quote') return jupiterQuote(trade);
  return path === '/quote' ? dflowQuote(trade) : jupiterBuild(trade);
}

export function tradeOf(inBase: bigint, outBase: bigint, slippageBps = 50, poolAccounts = 10): Trade {
  return {
    inMint: IN_MINT,
    outMint: OUT_MINT,
    inBase,
    outBase,
    slippageBps,
    taker: TAKER,
    source: SOURCE,
    destination: DESTINATION,
    poolAccounts,
  };
}

const E16 = 10n ** 16n;

/** A swap for 150,000 units, which take a little more than 1,000 at half a percent of slippage. */
export function makeRequest(changes: Partial<SwapRequest> = {}): SwapRequest {
  return {
    inMint: IN_MINT,
    outMint: OUT_MINT,
    taker: TAKER,
    source: SOURCE,
    destination: DESTINATION,
    neededOut: 150_000_000n,
    inBase: 1_010_000n,
    maxInBase: null,
    slippageBps: 50,
    maxPriceImpactE18: E16,
    maxDeviationE18: 3n * E16,
    fairOut: (inBase) => inBase * FAIR,
    protectedAccounts: new Set(),
    lendingAccount: addressOf(9_999),
    slot: SLOT,
    accountsLeft: 40,
    fit: () => Promise.resolve({ kind: 'fits', submit: 'sequential' }),
    pinned: null,
    keys: { jupiter: null, dflow: null },
    ...changes,
  };
}
