import { decodeArguments, isInstructionOf, lendingAccountLiquidate } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { TraceInstruction } from './activity-calls.ts';
import { nameAccounts } from './activity-movements.ts';

/** What a classic liquidation was called with. */
export interface CalledLiquidation {
  readonly account: Address;
  /** Units of the asset bank's balances: of a venue's bank its receipts, tokens of the mint elsewhere. */
  readonly seizedBase: bigint;
}

/** @returns null for every other instruction, and for one that ends too early. */
export function readLiquidation({ data, accounts }: TraceInstruction): CalledLiquidation | null {
  if (!isInstructionOf(lendingAccountLiquidate, data)) return null;
  const account = nameAccounts(lendingAccountLiquidate, accounts).liquidateeMarginfiAccount;
  if (account === undefined) return null;
  try {
    return { account, seizedBase: decodeArguments(lendingAccountLiquidate, data).assetAmount };
  } catch {
    return null;
  }
}
