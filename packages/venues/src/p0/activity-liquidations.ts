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

/**
 * Before 0.1.6 the two counts at the end were not written.
 * @returns null for every other instruction, and for one that ends too early.
 */
export function readLiquidation({ data, accounts }: TraceInstruction): CalledLiquidation | null {
  if (!isInstructionOf(lendingAccountLiquidate, data)) return null;
  const account = nameAccounts(lendingAccountLiquidate, accounts).liquidateeMarginfiAccount;
  if (account === undefined || data.length < 16) return null;
  try {
    return {
      account,
      seizedBase: decodeArguments(lendingAccountLiquidate, Uint8Array.from([...data, 0, 0])).assetAmount,
    };
  } catch {
    return null;
  }
}
