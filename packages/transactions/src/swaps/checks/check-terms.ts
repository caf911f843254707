import { DFLOW_PROGRAM, JUPITER_PROGRAM, readDflowTerms, readJupiterTerms, type SwapLimits } from '@lending/programs';
import type { Address, Instruction } from '@solana/kit';
import type { SwapOffer } from '../aggregators/aggregator.ts';
import type { SwapRefusal } from '../swap-reasons.ts';
import type { AggregatorName, SwapQuery, SwapQuote } from '../swap-route.ts';

/** Programs whose instructions are read, and the only aggregator that sends each. */
const READ: ReadonlyMap<string, { readonly sender: AggregatorName; readonly read: typeof readJupiterTerms }> = new Map([
  [JUPITER_PROGRAM, { sender: 'jupiter', read: readJupiterTerms }],
  [DFLOW_PROGRAM, { sender: 'dflow', read: readDflowTerms }],
]);
const BPS = 10_000n;

/**
 * Whether the instruction says what the quote says, as far as it can be read: a quote is words, the instruction is what the program
 * keeps to. Programs whose instructions nobody here reads pass: what they do shows when the transaction is simulated.
 */
export function checkTerms({ swap, quote }: SwapOffer, query: SwapQuery): SwapRefusal | null {
  const known = READ.get(swap.programAddress);
  if (known === undefined) return null;
  // Of another's program less can be read, or something else.
  if (known.sender !== quote.aggregator) return 'unknown_program';
  const terms = known.read(swap);
  if (terms === null) return 'unexpected_instruction';
  const differs = (named: Address | null, asked: Address) => named !== null && named !== asked;
  if (terms.user !== query.taker || differs(terms.source, query.source)) return 'wrong_source';
  if (differs(terms.destination, query.destination)) return 'wrong_destination';
  if (differs(terms.inMint, query.inMint) || differs(terms.outMint, query.outMint)) return 'wrong_pair';
  return terms.limits === null ? null : checkLimits(terms.limits, quote);
}

/** Whether the instruction names the least it gives where it can be read, so that its program keeps to it. */
export function bindsItself(swap: Instruction): boolean {
  const limits = READ.get(swap.programAddress)?.read(swap)?.limits ?? null;
  return limits !== null;
}

function checkLimits(limits: SwapLimits, quote: SwapQuote): SwapRefusal | null {
  if (limits.inAmount !== quote.inBase) return 'wrong_amount';
  if (limits.platformFeeBps !== 0) return 'unasked_fee';
  const sure = (limits.quotedOutAmount * (BPS - BigInt(limits.slippageBps))) / BPS;
  // The quote may have rounded its minimum the other way.
  return limits.slippageBps !== quote.slippageBps || sure + 1n < quote.minOutBase ? 'wrong_slippage' : null;
}
