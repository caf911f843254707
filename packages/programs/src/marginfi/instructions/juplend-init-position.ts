import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Makes a first deposit for a JupLend bank, `amount` of underlying in base units and nobody's afterwards, and opens the bank. */
export const juplendInitPosition = defineInstruction({
  name: 'juplend_init_position',
  discriminator: Uint8Array.of(176, 255, 151, 106, 5, 207, 74, 215),
  accounts: [
    { name: 'feePayer', isWritable: true, isSigner: true },
    { name: 'signerTokenAccount', isWritable: true },
    { name: 'bank', isWritable: true },
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
