import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import {
  type AggregatorReply,
  type AnswerCall,
  type AnswerDeps,
  addressSchema,
  amountSchema,
  firstIssue,
  flagSchema,
  slippageSchema,
} from './aggregator-call.ts';
import { bendInstructions } from './bend-instructions.ts';
import { bendOffer } from './bend-offer.ts';
import { makeOffer, type SwapOffer } from './make-offer.ts';
import {
  instructionsOf,
  type OfferInstructions,
  SWAP_UNIT_LIMIT,
  SWAP_UNIT_PRICE,
  unitLimit,
  unitPrice,
} from './offer-instructions.ts';
import { ratioText, toWire } from './wire-instruction.ts';

const DEFAULT_SLIPPAGE_BPS = 50;
/** Quotes that are remembered for the second step, newest last. */
const MAX_QUOTES = 1_000;
const MICRO_LAMPORTS = 1_000_000n;

const quoteSchema = z.object({
  inputMint: addressSchema,
  outputMint: addressSchema,
  amount: amountSchema,
  slippageBps: slippageSchema.default(DEFAULT_SLIPPAGE_BPS),
  maxRouteLength: z.coerce.number().int().min(1).max(255).optional(),
  onlyDirectRoutes: flagSchema.default(false),
  forJitoBundle: flagSchema.default(false),
});

const instructionsSchema = z.object({
  userPublicKey: addressSchema,
  quoteResponse: z.looseObject({ requestId: z.string() }),
  wrapAndUnwrapSol: z.boolean().default(true),
});

interface Quoted {
  readonly offer: SwapOffer;
  readonly body: unknown;
}

/** `GET /quote`, then `POST /swap-instructions` with the whole quote. @see DFlow’s OpenAPI document 0.1.0 */
export function createDflowAnswers({ ledger }: AnswerDeps): AnswerCall {
  const quotes = new Map<string, Quoted>();
  const remember = (requestId: string, quoted: Quoted) => {
    quotes.set(requestId, quoted);
    const [oldest] = quotes.keys();
    if (quotes.size > MAX_QUOTES && oldest !== undefined) quotes.delete(oldest);
  };
  const quote: AnswerCall = ({ query }, fault) => {
    const parsed = quoteSchema.safeParse(query);
    if (!parsed.success) return refuse(400, 'invalid_request', firstIssue(parsed.error));
    const { inputMint, outputMint, amount, slippageBps, maxRouteLength, onlyDirectRoutes, forJitoBundle } = parsed.data;
    const honest = makeOffer(ledger, 'dflow', {
      inMint: inputMint,
      outMint: outputMint,
      inBase: amount,
      slippageBps,
      limits: { maxLegs: onlyDirectRoutes ? 1 : maxRouteLength, forBundle: forJitoBundle },
    });
    if (honest === null) return refuse(400, 'route_not_found', 'Route not found');
    const offer = bendOffer(ledger, honest, fault);
    const requestId = randomUUID();
    const body = quoteBody(offer, requestId, forJitoBundle);
    remember(requestId, { offer, body });
    return { status: 200, body };
  };
  const instructions: AnswerCall = ({ body }, fault) => {
    const parsed = instructionsSchema.safeParse(body);
    if (!parsed.success) return refuse(400, 'invalid_request', firstIssue(parsed.error));
    const { userPublicKey, quoteResponse, wrapAndUnwrapSol } = parsed.data;
    const quoted = quotes.get(quoteResponse.requestId);
    // A quote that was made otherwise, or edited: its route cannot be put together.
    if (quoted === undefined || !isDeepStrictEqual(quoted.body, quoteResponse)) {
      return refuse(500, 'failed_to_compute_swap', 'Failed to compute swap');
    }
    const { offer } = quoted;
    const built = instructionsOf(offer, { wallet: userPublicKey, wrapsSol: wrapAndUnwrapSol });
    return { status: 200, body: instructionsBody(bendInstructions(built, offer, userPublicKey, fault)) };
  };
  const instructionsBody = ({ setup, swap, cleanup, other, lookupTables }: OfferInstructions) => {
    const { blockhash, lastValidBlockHeight } = ledger.latestBlockhash('confirmed');
    return {
      computeBudgetInstructions: [toWire(unitLimit(SWAP_UNIT_LIMIT)), toWire(unitPrice(SWAP_UNIT_PRICE))],
      setupInstructions: setup.map(toWire),
      swapInstruction: toWire(swap),
      cleanupInstructions: cleanup.map(toWire),
      otherInstructions: other.map(toWire),
      addressLookupTableAddresses: Object.keys(lookupTables),
      computeUnitLimit: SWAP_UNIT_LIMIT,
      prioritizationFeeLamports: Number((BigInt(SWAP_UNIT_LIMIT) * SWAP_UNIT_PRICE) / MICRO_LAMPORTS),
      prioritizationType: {
        computeBudget: { microLamports: Number(SWAP_UNIT_PRICE), estimatedMicroLamports: Number(SWAP_UNIT_PRICE) },
      },
      blockhashWithMetadata: { blockhash, lastValidBlockHeight: Number(lastValidBlockHeight) },
    };
  };
  return (call, fault) => {
    if (call.method === 'GET' && call.path === '/quote') return quote(call, fault);
    if (call.method === 'POST' && call.path === '/swap-instructions') return instructions(call, fault);
    return refuse(404, 'not_found', 'Not Found');
  };
}

function quoteBody({ from, to, legs, ...offer }: SwapOffer, requestId: string, forJitoBundle: boolean) {
  return {
    inputMint: from.mint,
    inAmount: `${offer.inBase}`,
    outputMint: to.mint,
    outAmount: `${offer.outBase}`,
    otherAmountThreshold: `${offer.minOutBase}`,
    minOutAmount: `${offer.minOutBase}`,
    slippageBps: offer.slippageBps,
    platformFee: null,
    outTransferFee: `${offer.outTransferFeeBase}`,
    priceImpactPct: ratioText(offer.priceImpactPpm),
    routePlan: legs.map(({ label, inBase, outBase }) => ({
      data: '',
      inAmount: `${inBase}`,
      inputMint: from.mint,
      inputMintDecimals: from.side.decimals,
      marketKey: to.pool,
      outAmount: `${outBase}`,
      outputMint: to.mint,
      outputMintDecimals: to.side.decimals,
      venue: label,
    })),
    contextSlot: Number(offer.contextSlot),
    routingSlot: Number(offer.contextSlot),
    simulatedComputeUnits: SWAP_UNIT_LIMIT,
    forJitoBundle,
    requestId,
  };
}

function refuse(status: number, code: string, msg: string): AggregatorReply {
  return { status, body: { code, msg } };
}
