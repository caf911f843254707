import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { getCloseAccountInstruction, getSyncNativeInstruction } from '@solana-program/token';
import { bareInstruction } from './bare-instruction.ts';

/** Turns a wallet's SOL into wrapped SOL of a token account that is there. */
export function wrapSol(authority: Address, tokenAccount: Address, lamports: bigint): readonly Instruction[] {
  return [
    getTransferSolInstruction({ source: createNoopSigner(authority), destination: tokenAccount, amount: lamports }),
    getSyncNativeInstruction({ account: tokenAccount }),
  ].map(bareInstruction);
}

/** Closes an account of wrapped SOL: all that is in it, and its rent, is the wallet's SOL again. */
export function closeWrappedSol(authority: Address, tokenAccount: Address): Instruction {
  const owner = createNoopSigner(authority);
  return bareInstruction(getCloseAccountInstruction({ account: tokenAccount, destination: authority, owner }));
}
