import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Adds tokens to a balance in a JupLend bank. `amount` is underlying, in base units. */
export const juplendDeposit = defineInstruction({
  name: 'juplend_deposit',
  discriminator: Uint8Array.of(114, 11, 218, 81, 183, 165, 143, 255),
  accounts: [
    { name: 'group', isWritable: true },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'bank', isWritable: true },
    { name: 'signerTokenAccount', isWritable: true },
    { name: 'liquidityVaultAuthority', isWritable: true },
    { name: 'liquidityVault', isWritable: true },
    { name: 'mint' },
    { name: 'integrationAcc1', isWritable: true },
    { name: 'fTokenMint', isWritable: true },
    { name: 'integrationAcc2', isWritable: true },
    { name: 'lendingAdmin' },
    { name: 'supplyTokenReservesLiquidity', isWritable: true },
    { name: 'lendingSupplyPositionOnLiquidity', isWritable: true },
    { name: 'rateModel' },
    { name: 'vault', isWritable: true },
    { name: 'liquidity', isWritable: true },
    { name: 'liquidityProgram' },
    { name: 'rewardsRateModel' },
    { name: 'juplendProgram' },
    { name: 'tokenProgram' },
    { name: 'associatedTokenProgram' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([['amount', getU64Codec()]]),
});
