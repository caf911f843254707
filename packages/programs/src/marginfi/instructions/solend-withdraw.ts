import { getBooleanCodec, getNullableCodec, getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Takes tokens out of a balance in a Solend bank. `amount` is collateral tokens (cTokens) in base units. The reserve must have
 * been refreshed in the same slot. Remaining accounts: the health accounts.
 */
export const solendWithdraw = defineInstruction({
  name: 'solend_withdraw',
  discriminator: Uint8Array.of(238, 144, 170, 199, 21, 72, 155, 36),
  accounts: [
    { name: 'group' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'bank', isWritable: true },
    { name: 'destinationTokenAccount', isWritable: true },
    { name: 'liquidityVaultAuthority', isWritable: true },
    { name: 'liquidityVault', isWritable: true },
    { name: 'integrationAcc2', isWritable: true },
    { name: 'lendingMarket', isWritable: true },
    { name: 'lendingMarketAuthority' },
    { name: 'integrationAcc1', isWritable: true },
    { name: 'mint' },
    { name: 'reserveLiquiditySupply', isWritable: true },
    { name: 'reserveCollateralMint', isWritable: true },
    { name: 'reserveCollateralSupply', isWritable: true },
    { name: 'userCollateral', isWritable: true },
    { name: 'solendProgram' },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([
    ['amount', getU64Codec()],
    ['withdrawAll', getNullableCodec(getBooleanCodec())],
  ]),
});
