import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { getCloseAccountInstruction, getSyncNativeInstruction } from '@solana-program/token';
import { bareInstruction } from './bare-instruction.ts';

/** Turns a wallet's SOL into wrapped SOL of a token account that is there. */
export function wrapSol(authority: Address, tokenAccount: Address, lamports: bigint): readonly Instruction[] {
  const source = createNoopSigner(authority);
  return [
    bareInstruction(getTransferSolInstruction({ source, destination: tokenAccount, amount: lamports })),
    syncNative(tokenAccount),
  ];
}

/** The library names the rent sysvar too, which the program only looks at where it is given, and which makes the transaction longer. */
function syncNative(tokenAccount: Address): Instruction {
  const { accounts = [], ...instruction } = bareInstruction(getSyncNativeInstruction({ account: tokenAccount }));
  return { ...instruction, accounts: accounts.slice(0, 1) };
}

/** Closes an account of wrapped SOL: all that is in it, and its rent, is the wallet's SOL again. */
export function closeWrappedSol(authority: Address, tokenAccount: Address): Instruction {
  const owner = createNoopSigner(authority);
  return bareInstruction(getCloseAccountInstruction({ account: tokenAccount, destination: authority, owner }));
}
