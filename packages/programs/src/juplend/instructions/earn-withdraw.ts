import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Turns fTokens into `amount` underlying base units; 2^64 − 1 stands for what all fTokens of the owner are worth. */
export const juplendEarnWithdraw = defineInstruction({
  name: 'withdraw',
  discriminator: Uint8Array.of(183, 18, 70, 156, 148, 109, 161, 34),
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
  args: getStructCodec([['amount', getU64Codec()]]),
});
