import { z } from 'zod';
import type { SwapFailure } from '../swap-reasons.ts';
import type { SwapQuery, SwapQuote } from '../swap-route.ts';
import type { Aggregator, AggregatorOptions, Asked, AskOptions, Quoted, SizeQuery } from './aggregator.ts';
import { askAggregator, failed, sizeParametersOf } from './ask-aggregator.ts';
import {
  MAX_LOOKUP_TABLES,
  wireAddress,
  wireAmount,
  wireBps,
  wireFraction,
  wireInstruction,
  wireInstructions,
  wireLabel,
  wireLegs,
  wireSlot,
} from './wire-values.ts';

/** It answers nobody without a key; its development host does, and is not for production. */
const KEYED_HOST = 'quote-api.dflow.net';

/** `GET /quote`. @see pond.dflow.net, the OpenAPI document's `QuoteResponse` */
const quoteAnswer = z.object({
  inputMint: wireAddress,
  outputMint: wireAddress,
  inAmount: wireAmount,
  outAmount: wireAmount,
  otherAmountThreshold: wireAmount,
  slippageBps: wireBps,
  priceImpactPct: wireFraction,
  platformFee: z.object({ amount: wireAmount, mode: z.enum(['outputMint', 'inputMint']) }).nullish(),
  routePlan: wireLegs(z.object({ venue: wireLabel }).transform((leg) => leg.venue)),
  contextSlot: wireSlot,
  requestId: wireLabel.nullish(),
});

const sizeAnswer = quoteAnswer.pick({ inputMint: true, outputMint: true, inAmount: true, outAmount: true });

/** `POST /swap-instructions`. */
const instructionsAnswer = z.object({
  setupInstructions: wireInstructions,
  swapInstruction: wireInstruction,
  otherInstructions: wireInstructions,
  addressLookupTableAddresses: z.array(wireAddress).max(MAX_LOOKUP_TABLES),
});

/** Aggregator 2: a quote, then its instructions. */
export function createDflow(options: AggregatorOptions): Aggregator {
  return {
    name: 'dflow',
    isKeyless: new URL(options.url).hostname !== KEYED_HOST,
    bounds: 'legs',
    ask: (query, asking) => ask(query, asking, options),
    quote: (query, asking) => quote(query, asking, options),
  };
}

async function ask(query: SwapQuery, asking: AskOptions, { url, fetch, now }: AggregatorOptions): Promise<Asked> {
  const base = url.replace(/\/+$/, '');
  const shared = { ...asking, fetch, now, failureOf };
  const quoted = await askAggregator({ ...shared, url: `${base}/quote?${parametersOf(query)}` });
  if (quoted.kind === 'failed') return quoted;
  const quote = quoteAnswer.safeParse(quoted.json);
  if (!quote.success) return failed('malformed_answer', z.prettifyError(quote.error));

  // The quote goes back as it came, to the byte: fields that nobody here knows are part of it.
  const rest = JSON.stringify({
    userPublicKey: query.taker,
    wrapAndUnwrapSol: false,
    prioritizationFeeLamports: 'disabled',
  });
  const body = `${rest.slice(0, -1)},"quoteResponse":${quoted.text}}`;
  const built = await askAggregator({ ...shared, url: `${base}/swap-instructions`, body });
  if (built.kind === 'failed') return built;
  const read = instructionsAnswer.safeParse(built.json);
  if (!read.success) return failed('malformed_answer', z.prettifyError(read.error));

  const { setupInstructions: setup, swapInstruction: swap, otherInstructions: others } = read.data;
  const { inputMint: inMint, outputMint: outMint } = quote.data;
  const lookupTables = read.data.addressLookupTableAddresses;
  return { kind: 'offered', offer: { inMint, outMint, quote: toQuote(quote.data), setup, swap, others, lookupTables } };
}

async function quote(query: SizeQuery, asking: AskOptions, { url, fetch, now }: AggregatorOptions): Promise<Quoted> {
  const asked = `${url.replace(/\/+$/, '')}/quote?${sizeParametersOf(query)}`;
  const answer = await askAggregator({ ...asking, fetch, now, failureOf, url: asked });
  if (answer.kind === 'failed') return answer;
  const read = sizeAnswer.safeParse(answer.json);
  if (!read.success) return failed('malformed_answer', z.prettifyError(read.error));
  const { inputMint: inMint, outputMint: outMint, inAmount: inBase, outAmount: outBase } = read.data;
  return { kind: 'quoted', quote: { inMint, outMint, inBase, outBase } };
}

function parametersOf(query: SwapQuery): URLSearchParams {
  return new URLSearchParams({
    inputMint: query.inMint,
    outputMint: query.outMint,
    amount: query.inBase.toString(),
    slippageBps: query.slippageBps.toString(),
    ...legsOf(query.maxLegs),
    ...(query.forBundle ? { forJitoBundle: 'true' } : {}),
  });
}

function legsOf(maxLegs: number | null): Readonly<Record<string, string>> {
  if (maxLegs === null) return {};
  return maxLegs === 1 ? { onlyDirectRoutes: 'true' } : { maxRouteLength: maxLegs.toString() };
}

function toQuote(answer: z.infer<typeof quoteAnswer>): SwapQuote {
  const { platformFee: fee } = answer;
  const feeMint = fee?.mode === 'inputMint' ? answer.inputMint : answer.outputMint;
  return {
    aggregator: 'dflow',
    inBase: answer.inAmount,
    outBase: answer.outAmount,
    minOutBase: answer.otherAmountThreshold,
    slippageBps: answer.slippageBps,
    priceImpactE18: answer.priceImpactPct,
    fee: fee === null || fee === undefined || fee.amount === 0n ? null : { mint: feeMint, base: fee.amount },
    contextSlot: answer.contextSlot,
    labels: answer.routePlan,
    requestId: answer.requestId ?? null,
  };
}

const NO_ROUTE = new Set([
  'route_not_found',
  'price_impact_too_high',
  'zero_out_amount',
  'route_too_long',
  'route_is_empty',
]);

function failureOf(body: unknown): SwapFailure {
  const { code } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  return typeof code === 'string' && NO_ROUTE.has(code) ? 'no_route' : 'request_refused';
}
