import { z } from 'zod';
import type { SwapFailure } from '../swap-reasons.ts';
import type { SwapQuery } from '../swap-route.ts';
import type { Aggregator, AggregatorOptions, SwapOffer } from './aggregator.ts';
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

/** `GET /swap/v2/build`: quote and instructions in one. Names of what is not used are left out. */
const buildAnswer = z.object({
  /** Notes of live answers differ on whether it names the mints. Its instruction does, and is held to them. */
  inputMint: wireAddress.nullish(),
  outputMint: wireAddress.nullish(),
  inAmount: wireAmount,
  outAmount: wireAmount,
  otherAmountThreshold: wireAmount,
  slippageBps: wireBps,
  priceImpactPct: wireFraction.nullish(),
  platformFee: z.object({ amount: wireAmount, feeBps: wireBps }).nullish(),
  routePlan: wireLegs(z.object({ swapInfo: z.object({ label: wireLabel }) }).transform((leg) => leg.swapInfo.label)),
  contextSlot: wireSlot.nullish(),
  requestId: wireLabel.nullish(),
  setupInstructions: wireInstructions.nullish(),
  swapInstruction: wireInstruction,
  otherInstructions: wireInstructions.nullish(),
  tipInstruction: wireInstruction.nullish(),
  /** Table → what is said to be in it, which nobody reads. */
  addressesByLookupTableAddress: z
    .record(z.string(), z.unknown())
    .transform((tables) => Object.keys(tables))
    .pipe(z.array(wireAddress).max(MAX_LOOKUP_TABLES))
    .nullish(),
});

/**
 * `GET /swap/v2/quote`: what `build` would quote, with no taker. Of the two ways to a price without a wallet it is the one that a plan can
 * have: `/swap/v2/order` lets market makers bid too, whose transactions nobody else can put together, and `/swap/v1/quote` is not kept up.
 */
const quoteAnswer = buildAnswer.pick({ inputMint: true, outputMint: true, inAmount: true, outAmount: true });

/** Aggregator 1. Without a key it answers too, seldom enough. */
export function createJupiter({ url, fetch, now }: AggregatorOptions): Aggregator {
  const base = `${url.replace(/\/+$/, '')}/swap/v2`;
  return {
    name: 'jupiter',
    isKeyless: true,
    bounds: 'accounts',
    async ask(query, options) {
      const asked = `${base}/build?${parametersOf(query)}`;
      const answer = await askAggregator({ ...options, fetch, now, url: asked, failureOf });
      if (answer.kind === 'failed') return answer;
      const read = buildAnswer.safeParse(answer.json);
      if (!read.success) return failed('malformed_answer', z.prettifyError(read.error));
      return { kind: 'offered', offer: toOffer(read.data, query) };
    },
    async quote(query, options) {
      const asked = `${base}/quote?${sizeParametersOf(query)}`;
      const answer = await askAggregator({ ...options, fetch, now, url: asked, failureOf });
      if (answer.kind === 'failed') return answer;
      const read = quoteAnswer.safeParse(answer.json);
      if (!read.success) return failed('malformed_answer', z.prettifyError(read.error));
      const { inputMint, outputMint, inAmount: inBase, outAmount: outBase } = read.data;
      const mints = { inMint: inputMint ?? query.inMint, outMint: outputMint ?? query.outMint };
      return { kind: 'quoted', quote: { ...mints, inBase, outBase } };
    },
  };
}

function parametersOf(query: SwapQuery): URLSearchParams {
  return new URLSearchParams({
    inputMint: query.inMint,
    outputMint: query.outMint,
    amount: query.inBase.toString(),
    taker: query.taker,
    slippageBps: query.slippageBps.toString(),
    wrapAndUnwrapSol: 'false',
    ...(query.maxAccounts === null ? {} : { maxAccounts: query.maxAccounts.toString() }),
    ...(query.forBundle ? { forJitoBundle: 'true' } : {}),
  });
}

function toOffer(answer: z.infer<typeof buildAnswer>, query: SwapQuery): SwapOffer {
  const { platformFee: fee, tipInstruction: tip } = answer;
  return {
    inMint: answer.inputMint ?? query.inMint,
    outMint: answer.outputMint ?? query.outMint,
    quote: {
      aggregator: 'jupiter',
      inBase: answer.inAmount,
      outBase: answer.outAmount,
      minOutBase: answer.otherAmountThreshold,
      slippageBps: answer.slippageBps,
      priceImpactE18: answer.priceImpactPct ?? null,
      fee: fee === null || fee === undefined || fee.amount === 0n ? null : { mint: query.outMint, base: fee.amount },
      contextSlot: answer.contextSlot ?? null,
      labels: answer.routePlan,
      requestId: answer.requestId ?? null,
    },
    setup: answer.setupInstructions ?? [],
    swap: answer.swapInstruction,
    others: [...(answer.otherInstructions ?? []), ...(tip === null || tip === undefined ? [] : [tip])],
    lookupTables: answer.addressesByLookupTableAddress ?? [],
  };
}

/** As words of the second version, and as codes of the first, which is still served. */
const NO_ROUTE = /no[ _]routes?[ _]found|could[ _]not[ _]find[ _]any[ _]route|not[ _]tradable|market[ _]not[ _]found/i;

function failureOf(body: unknown): SwapFailure {
  const { error, errorCode } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const isNoRoute = [errorCode, error].some((said) => typeof said === 'string' && NO_ROUTE.test(said));
  return isNoRoute ? 'no_route' : 'request_refused';
}
