import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import {
  type AggregatorReply,
  type AnswerCall,
  addressSchema,
  firstIssue,
  flagSchema,
  offerFor,
  orderSchema,
  quoteBody,
  toWire,
} from './aggregator-call.ts';
import { bendInstructions } from './bend.ts';
import type { OfferLedger, SwapOffer } from './make-offer.ts';
import { instructionsOf } from './offer-instructions.ts';

/** Quotes that are remembered for the second step, newest last. */
const MAX_QUOTES = 1_000;

const quoteSchema = orderSchema.extend({
  maxRouteLength: z.coerce.number().int().min(1).max(255).optional(),
  onlyDirectRoutes: flagSchema.default(false),
  forJitoBundle: flagSchema.default(false),
});

const instructionsSchema = z.object({
  userPublicKey: addressSchema,
  quoteResponse: z.looseObject({ requestId: z.string() }),
  /** SOL is traded as the wrapped token it is: this double wraps none. */
  wrapAndUnwrapSol: z.literal(false),
});

interface Quoted {
  readonly offer: SwapOffer;
  readonly body: unknown;
}

/** `GET /quote`, then `POST /swap-instructions` with the whole quote. @see DFlow’s OpenAPI document 0.1.0 */
export function createDflowAnswers(ledger: OfferLedger): AnswerCall {
  const quotes = new Map<string, Quoted>();
  const quote: AnswerCall = ({ query }, fault) => {
    const parsed = quoteSchema.safeParse(query);
    if (!parsed.success) return refuse(400, 'invalid_request', firstIssue(parsed.error));
    const { maxRouteLength, onlyDirectRoutes, forJitoBundle } = parsed.data;
    const limits = { maxLegs: onlyDirectRoutes ? 1 : maxRouteLength, forBundle: forJitoBundle };
    const offer = offerFor(ledger, 'dflow', parsed.data, limits, fault);
    if (offer === null) return refuse(400, 'route_not_found', 'Route not found');
    const requestId = randomUUID();
    const contextSlot = Number(offer.contextSlot);
    const body = { ...quoteBody(offer), routePlan: routePlanOf(offer), contextSlot, forJitoBundle, requestId };
    quotes.set(requestId, { offer, body });
    const [oldest] = quotes.keys();
    if (quotes.size > MAX_QUOTES && oldest !== undefined) quotes.delete(oldest);
    return { status: 200, body };
  };
  const instructions: AnswerCall = ({ body }, fault) => {
    const parsed = instructionsSchema.safeParse(body);
    if (!parsed.success) return refuse(400, 'invalid_request', firstIssue(parsed.error));
    const { userPublicKey, quoteResponse } = parsed.data;
    const quoted = quotes.get(quoteResponse.requestId);
    // A quote that was made otherwise, or edited: its route cannot be put together.
    if (quoted === undefined || !isDeepStrictEqual(quoted.body, quoteResponse)) {
      return refuse(500, 'failed_to_compute_swap', 'Failed to compute swap');
    }
    const { offer } = quoted;
    const honest = instructionsOf(offer, userPublicKey);
    const { setup, swap, other, lookupTables } = bendInstructions(honest, offer, userPublicKey, fault);
    return {
      status: 200,
      body: {
        computeBudgetInstructions: [],
        setupInstructions: setup.map(toWire),
        swapInstruction: toWire(swap),
        cleanupInstructions: [],
        otherInstructions: other.map(toWire),
        addressLookupTableAddresses: Object.keys(lookupTables),
      },
    };
  };
  return (call, fault) => {
    if (call.method === 'GET' && call.path === '/quote') return quote(call, fault);
    if (call.method === 'POST' && call.path === '/swap-instructions') return instructions(call, fault);
    return refuse(404, 'not_found', 'Not Found');
  };
}

function routePlanOf({ from, to, legs }: SwapOffer) {
  return legs.map(({ label, inBase, outBase }) => ({
    data: '',
    inAmount: `${inBase}`,
    inputMint: from.mint,
    inputMintDecimals: from.side.decimals,
    marketKey: to.pool,
    outAmount: `${outBase}`,
    outputMint: to.mint,
    outputMintDecimals: to.side.decimals,
    venue: label,
  }));
}

function refuse(status: number, code: string, msg: string): AggregatorReply {
  return { status, body: { code, msg } };
}
