import { AccountRole, type Address, type Instruction, isAddress, isSignerRole, isWritableRole } from '@solana/kit';
import * as z from 'zod';
import type { AggregatorFault } from './aggregator-fault.ts';
import { bendOffer } from './bend.ts';
import type { AggregatorName, RouteLimits } from './find-route.ts';
import { makeOffer, type OfferLedger, type SwapOffer } from './make-offer.ts';

/** A request that arrived. */
export interface AggregatorCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined without a body, or with one that is none. */
  readonly body: unknown;
}

export interface AggregatorReply {
  readonly status: number;
  readonly body: unknown;
}

/** One aggregator's paths and shapes, with what it does wrong on purpose. */
export type AnswerCall = (call: AggregatorCall, fault: AggregatorFault | null) => AggregatorReply;

const U64_MAX = 2n ** 64n - 1n;
const DEFAULT_SLIPPAGE_BPS = 50;

export const addressSchema = z.custom<Address>((value) => typeof value === 'string' && isAddress(value), 'no address');
export const flagSchema = z.enum(['true', 'false']).transform((text) => text === 'true');

/** What both ask alike. Amounts are base units as decimal text, above nothing. */
export const orderSchema = z.object({
  inputMint: addressSchema,
  outputMint: addressSchema,
  amount: z
    .string()
    .regex(/^\d{1,20}$/)
    .transform(BigInt)
    .refine((amount) => amount > 0n && amount <= U64_MAX, 'out of range'),
  slippageBps: z.coerce.number().int().min(0).max(10_000).default(DEFAULT_SLIPPAGE_BPS),
});

/** What an aggregator offers for an order, honest or bent; null where it knows no way. */
export function offerFor(
  ledger: OfferLedger,
  aggregator: AggregatorName,
  { inputMint: inMint, outputMint: outMint, amount: inBase, slippageBps }: z.output<typeof orderSchema>,
  limits: RouteLimits,
  fault: AggregatorFault | null,
): SwapOffer | null {
  const honest = makeOffer(ledger, aggregator, { inMint, outMint, inBase, slippageBps, limits });
  return honest === null ? null : bendOffer(ledger, honest, fault);
}

/** What both write of a quote. */
export function quoteBody({ from, to, inBase, outBase, minOutBase, slippageBps, priceImpactPpm }: SwapOffer) {
  return {
    inputMint: from.mint,
    outputMint: to.mint,
    inAmount: `${inBase}`,
    outAmount: `${outBase}`,
    otherAmountThreshold: `${minOutBase}`,
    slippageBps,
    platformFee: null,
    priceImpactPct: ratioText(priceImpactPpm),
  };
}

/** An instruction as both write it, with its data in base64. */
export function toWire({ programAddress, accounts = [], data = new Uint8Array() }: Instruction) {
  return {
    programId: programAddress,
    accounts: accounts.map(({ address, role = AccountRole.READONLY }) => ({
      pubkey: address,
      isSigner: isSignerRole(role),
      isWritable: isWritableRole(role),
    })),
    data: Buffer.from(data).toString('base64'),
  };
}

/** A ratio in millionths as decimal text. */
function ratioText(ppm: bigint): string {
  const digits = ppm.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}

/** Where and why an input is none, in one line. */
export function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  return issue === undefined ? 'invalid' : `${issue.path.join('.')}: ${issue.message}`;
}
