import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Turns tokens into fTokens. `assets` is underlying, in base units; 2^64 − 1 stands for all the depositor has. */
export const juplendEarnDeposit = defineInstruction({
  name: 'deposit',
  discriminator: Uint8Array.of(242, 35, 198, 137, 82, 225, 242, 182),
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
  args: getStructCodec([['assets', getU64Codec()]]),
});
