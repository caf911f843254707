import { getBase58Encoder } from '@solana/kit';
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
import { makeOffer, type OfferLedger, type SwapOffer } from './make-offer.ts';
import { instructionsOf, type OfferInstructions, SWAP_UNIT_PRICE, unitPrice } from './offer-instructions.ts';
import { ratioText, toWire } from './wire-instruction.ts';

const BUILD_PATH = '/swap/v2/build';
const QUOTE_PATH = '/swap/v2/quote';
const DEFAULT_SLIPPAGE_BPS = 50;
const MOST_ACCOUNTS = 64;

const buildSchema = z.object({
  inputMint: addressSchema,
  outputMint: addressSchema,
  amount: amountSchema,
  taker: addressSchema,
  slippageBps: slippageSchema.default(DEFAULT_SLIPPAGE_BPS),
  maxAccounts: z.coerce.number().int().min(1).max(MOST_ACCOUNTS).default(MOST_ACCOUNTS),
  forJitoBundle: flagSchema.default(false),
  wrapAndUnwrapSol: flagSchema.default(true),
  destinationTokenAccount: addressSchema.optional(),
  payer: addressSchema.optional(),
});

const quoteSchema = buildSchema.pick({ inputMint: true, outputMint: true, amount: true, slippageBps: true });

/** `GET /swap/v2/build`: quote and instructions in one; `GET /swap/v2/quote`: the quote alone. @see Jupiter’s pages on its Swap API v2 */
export function createJupiterAnswers({ ledger }: AnswerDeps): AnswerCall {
  const build = createBuildAnswers(ledger);
  const quote = createQuoteAnswers(ledger);
  return (call, fault) => {
    if (call.method === 'GET' && call.path === BUILD_PATH) return build(call, fault);
    if (call.method === 'GET' && call.path === QUOTE_PATH) return quote(call, fault);
    return refuse(404, 'Not Found');
  };
}

function createQuoteAnswers(ledger: OfferLedger): AnswerCall {
  return ({ query }, fault) => {
    const parsed = quoteSchema.safeParse(query);
    if (!parsed.success) return refuse(400, firstIssue(parsed.error));
    const { inputMint: inMint, outputMint: outMint, amount: inBase, slippageBps } = parsed.data;
    const honest = makeOffer(ledger, 'jupiter', { inMint, outMint, inBase, slippageBps, limits: { forBundle: false } });
    if (honest === null) return refuse(400, 'No routes found');
    const offer = bendOffer(ledger, honest, fault);
    return {
      status: 200,
      body: { ...quoteBody(offer), platformFee: null, contextSlot: Number(offer.contextSlot), timeTaken: 0.001 },
    };
  };
}

function createBuildAnswers(ledger: OfferLedger): AnswerCall {
  return ({ query }, fault) => {
    const parsed = buildSchema.safeParse(query);
    if (!parsed.success) return refuse(400, firstIssue(parsed.error));
    const { inputMint, outputMint, amount, slippageBps, maxAccounts, forJitoBundle, ...rest } = parsed.data;
    const honest = makeOffer(ledger, 'jupiter', {
      inMint: inputMint,
      outMint: outputMint,
      inBase: amount,
      slippageBps,
      limits: { maxAccounts, forBundle: forJitoBundle },
    });
    if (honest === null) return refuse(400, 'No routes found');
    const offer = bendOffer(ledger, honest, fault);
    const instructions = instructionsOf(offer, {
      wallet: rest.taker,
      payer: rest.payer,
      destination: rest.destinationTokenAccount,
      wrapsSol: rest.wrapAndUnwrapSol && rest.destinationTokenAccount === undefined,
    });
    const { blockhash, lastValidBlockHeight } = ledger.latestBlockhash('confirmed');
    return {
      status: 200,
      body: {
        ...quoteBody(offer),
        ...instructionsBody(bendInstructions(instructions, offer, rest.taker, fault)),
        blockhashWithMetadata: {
          blockhash: [...getBase58Encoder().encode(blockhash)],
          lastValidBlockHeight: Number(lastValidBlockHeight),
        },
      },
    };
  };
}

function quoteBody({ from, to, legs, ...offer }: SwapOffer) {
  return {
    inputMint: from.mint,
    outputMint: to.mint,
    inAmount: `${offer.inBase}`,
    outAmount: `${offer.outBase}`,
    otherAmountThreshold: `${offer.minOutBase}`,
    swapMode: 'ExactIn',
    slippageBps: offer.slippageBps,
    priceImpactPct: ratioText(offer.priceImpactPpm),
    routePlan: legs.map(({ label, bps, inBase, outBase }) => ({
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
    })),
  };
}

function instructionsBody({ setup, swap, cleanup, other, lookupTables }: OfferInstructions) {
  const [last] = cleanup;
  return {
    computeBudgetInstructions: [toWire(unitPrice(SWAP_UNIT_PRICE))],
    setupInstructions: setup.map(toWire),
    swapInstruction: toWire(swap),
    cleanupInstruction: last === undefined ? null : toWire(last),
    otherInstructions: other.map(toWire),
    tipInstruction: null,
    addressesByLookupTableAddress: lookupTables,
  };
}

function refuse(status: number, error: string): AggregatorReply {
  return { status, body: { error } };
}
