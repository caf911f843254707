import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Turns `shares` fTokens into what they are worth, rounded down; 2^64 − 1 stands for all the owner has. */
export const juplendEarnRedeem = defineInstruction({
  name: 'redeem',
  discriminator: Uint8Array.of(184, 12, 86, 149, 70, 196, 97, 225),
  accounts: [
    { name: 'signer', isWritable: true, isSigner: true },
    { name: 'ownerTokenAccount', isWritable: true },
    { name: 'recipientTokenAccount', isWritable: true },
    { name: 'lendingAdmin' },
    { name: 'lending', isWritable: true },
    { name: 'mint' },
    { name: 'fTokenMint', isWritable: true },
    { name: 'supplyTokenReservesLiquidity', isWritable: true },
    { name: 'lendingSupplyPositionOnLiquidity', isWritable: true },
    { name: 'rateModel' },
    { name: 'vault', isWritable: true },
    { name: 'claimAccount', isWritable: true, isOptional: true },
    { name: 'liquidity', isWritable: true },
    { name: 'liquidityProgram' },
    { name: 'rewardsRateModel' },
    { name: 'tokenProgram' },
    { name: 'associatedTokenProgram', isOptional: true },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([['shares', getU64Codec()]]),
});
