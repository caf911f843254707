import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Turns as many tokens into fTokens as `shares` fTokens cost, rounded up; 2^64 − 1 stands for all the depositor has. */
export const juplendEarnMint = defineInstruction({
  name: 'mint',
  discriminator: Uint8Array.of(51, 57, 225, 47, 182, 146, 137, 166),
  accounts: [
    { name: 'signer', isWritable: true, isSigner: true },
    { name: 'depositorTokenAccount', isWritable: true },
    { name: 'recipientTokenAccount', isWritable: true },
    { name: 'mint' },
    { name: 'lendingAdmin' },
    { name: 'lending', isWritable: true },
    { name: 'fTokenMint', isWritable: true },
    { name: 'supplyTokenReservesLiquidity', isWritable: true },
    { name: 'lendingSupplyPositionOnLiquidity', isWritable: true },
    { name: 'rateModel' },
    { name: 'vault', isWritable: true },
    { name: 'liquidity', isWritable: true },
    { name: 'liquidityProgram' },
    { name: 'rewardsRateModel' },
    { name: 'tokenProgram' },
    { name: 'associatedTokenProgram', isOptional: true },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([['shares', getU64Codec()]]),
});
