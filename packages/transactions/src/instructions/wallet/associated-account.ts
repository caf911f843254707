import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import type { TokenHolding } from '../derived-addresses.ts';
import { bareInstruction } from './bare-instruction.ts';

/** Creates an associated token account of any token program, unless it is there by then. */
export function createAssociatedAccount(
  payer: Address,
  account: Address,
  { owner, mint, tokenProgram }: TokenHolding,
): Instruction {
  return bareInstruction(
    getCreateAssociatedTokenIdempotentInstruction({
      payer: createNoopSigner(payer),
      ata: account,
      owner,
      mint,
      tokenProgram,
    }),
  );
}
