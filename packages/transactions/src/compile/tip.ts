import { JITO_TIP_ACCOUNTS } from '@lending/programs';
import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';

/** Pays whoever builds the block for taking a bundle as a whole. The accounts are alike: one at random keeps them from being fought over. */
export function tipInstruction(payer: Address, lamports: bigint, random: () => number = Math.random): Instruction {
  const destination = JITO_TIP_ACCOUNTS[Math.floor(random() * JITO_TIP_ACCOUNTS.length)];
  if (destination === undefined) throw new RangeError('A random number is at least 0 and below 1');
  return getTransferSolInstruction({ source: createNoopSigner(payer), destination, amount: lamports });
}
