import { type Address, isAddress } from '@solana/kit';
import * as z from 'zod';
import type { AggregatorFault } from './aggregator-fault.ts';
import type { OfferLedger } from './make-offer.ts';

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
  readonly headers?: Readonly<Record<string, string>>;
}

/** One aggregator's paths and shapes, with what it does wrong on purpose. */
export type AnswerCall = (call: AggregatorCall, fault: AggregatorFault | null) => AggregatorReply;

export interface AnswerDeps {
  readonly ledger: OfferLedger;
}

const U64_MAX = 2n ** 64n - 1n;

export const addressSchema = z.custom<Address>((value) => typeof value === 'string' && isAddress(value), 'no address');
/** Base units as decimal text, above nothing. */
export const amountSchema = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt)
  .refine((amount) => amount > 0n && amount <= U64_MAX, 'out of range');
export const flagSchema = z.enum(['true', 'false']).transform((text) => text === 'true');
export const slippageSchema = z.coerce.number().int().min(0).max(10_000);

/** Where and why an input is none, in one line. */
export function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  return issue === undefined ? 'invalid' : `${issue.path.join('.')}: ${issue.message}`;
}
