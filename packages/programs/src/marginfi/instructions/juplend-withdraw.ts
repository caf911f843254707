import { getBooleanCodec, getNullableCodec, getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Takes tokens out of a balance in a JupLend bank. `amount` is underlying, in base units. Remaining accounts: the health accounts. */
export const juplendWithdraw = defineInstruction({
  name: 'juplend_withdraw',
  discriminator: Uint8Array.of(245, 164, 253, 202, 53, 77, 251, 221),
  accounts: [
    { name: 'group' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'bank', isWritable: true },
    { name: 'destinationTokenAccount', isWritable: true },
    { name: 'liquidityVaultAuthority', isWritable: true },
    { name: 'mint' },
    { name: 'integrationAcc1', isWritable: true },
    { name: 'fTokenMint', isWritable: true },
    { name: 'integrationAcc2', isWritable: true },
    { name: 'integrationAcc3', isWritable: true },
    { name: 'lendingAdmin' },
    { name: 'supplyTokenReservesLiquidity', isWritable: true },
    { name: 'lendingSupplyPositionOnLiquidity', isWritable: true },
    { name: 'rateModel' },
    { name: 'vault', isWritable: true },
    { name: 'claimAccount', isWritable: true },
    { name: 'liquidity', isWritable: true },
    { name: 'liquidityProgram' },
    { name: 'rewardsRateModel' },
    { name: 'juplendProgram' },
    { name: 'tokenProgram' },
    { name: 'associatedTokenProgram' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([
    ['amount', getU64Codec()],
    ['withdrawAll', getNullableCodec(getBooleanCodec())],
  ]),
});
