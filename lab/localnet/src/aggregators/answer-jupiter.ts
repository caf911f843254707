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
import { instructionsOf, type OfferInstructions } from './offer-instructions.ts';

const BUILD_PATH = '/swap/v2/build';
const QUOTE_PATH = '/swap/v2/quote';
const MOST_ACCOUNTS = 64;

const quoteSchema = orderSchema.extend({
  maxAccounts: z.coerce.number().int().min(1).max(MOST_ACCOUNTS).default(MOST_ACCOUNTS),
  forJitoBundle: flagSchema.default(false),
});
/** SOL is traded as the wrapped token it is: this double wraps none. */
const buildSchema = quoteSchema.extend({ taker: addressSchema, wrapAndUnwrapSol: z.literal('false') });

/** `GET /swap/v2/build`: quote and instructions in one; `GET /swap/v2/quote`: the quote alone. @see Jupiter’s pages on its Swap API v2 */
export function createJupiterAnswers(ledger: OfferLedger): AnswerCall {
  return ({ method, path, query }, fault) => {
    const isBuild = path === BUILD_PATH;
    if (method !== 'GET' || !(isBuild || path === QUOTE_PATH)) return refuse(404, 'Not Found');
    const parsed = (isBuild ? buildSchema : quoteSchema).safeParse(query);
    if (!parsed.success) return refuse(400, firstIssue(parsed.error));
    const { maxAccounts, forJitoBundle } = parsed.data;
    const offer = offerFor(ledger, 'jupiter', parsed.data, { maxAccounts, forBundle: forJitoBundle }, fault);
    if (offer === null) return refuse(400, 'No routes found');
    const quote = { ...quoteBody(offer), swapMode: 'ExactIn', routePlan: routePlanOf(offer) };
    if (!isBuild) return { status: 200, body: { ...quote, contextSlot: Number(offer.contextSlot) } };
    const { taker } = buildSchema.parse(query);
    const instructions = bendInstructions(instructionsOf(offer, taker), offer, taker, fault);
    return { status: 200, body: { ...quote, ...instructionsBody(instructions) } };
  };
}

function routePlanOf({ from, to, legs }: SwapOffer) {
  return legs.map(({ label, bps, inBase, outBase }) => ({
    percent: Math.round(bps / 100),
    bps,
    swapInfo: {
      ammKey: to.pool,
      label,
      inputMint: from.mint,
      outputMint: to.mint,
      inAmount: `${inBase}`,
      outAmount: `${outBase}`,
    },
  }));
}

function instructionsBody({ setup, swap, other, lookupTables }: OfferInstructions) {
  return {
    computeBudgetInstructions: [],
    setupInstructions: setup.map(toWire),
    swapInstruction: toWire(swap),
    cleanupInstruction: null,
    otherInstructions: other.map(toWire),
    tipInstruction: null,
    addressesByLookupTableAddress: lookupTables,
  };
}

function refuse(status: number, error: string): AggregatorReply {
  return { status, body: { error } };
}
