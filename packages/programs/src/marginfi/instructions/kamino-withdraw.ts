import { getNullableCodec, getStructCodec } from '@solana/kit';
import { getU8Codec, getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Takes tokens out of a balance in a Kamino bank. `amount` is collateral tokens (cTokens) in base units. Remaining accounts: the
 * health accounts. `flags`: bit 0 withdraws all, bit 1 refreshes the reserve. Up to 0.1.8 the byte is the boolean `withdraw_all`:
 * null, 0 and 1 mean the same in every version, 2 and 3 need 0.1.9.
 */
export const kaminoWithdraw = defineInstruction({
  name: 'kamino_withdraw',
  discriminator: Uint8Array.of(199, 101, 41, 45, 213, 98, 224, 200),
  accounts: [
    { name: 'group' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'bank', isWritable: true },
    { name: 'destinationTokenAccount', isWritable: true },
    { name: 'liquidityVaultAuthority', isWritable: true },
    { name: 'liquidityVault', isWritable: true },
    { name: 'integrationAcc2', isWritable: true },
    { name: 'lendingMarket' },
    { name: 'lendingMarketAuthority' },
    { name: 'integrationAcc1', isWritable: true },
    { name: 'mint', isWritable: true },
    { name: 'reserveLiquiditySupply', isWritable: true },
    { name: 'reserveCollateralMint', isWritable: true },
    { name: 'reserveSourceCollateral', isWritable: true },
    { name: 'obligationFarmUserState', isWritable: true, isOptional: true },
    { name: 'reserveFarmState', isWritable: true, isOptional: true },
    { name: 'kaminoProgram' },
    { name: 'farmsProgram' },
    { name: 'collateralTokenProgram' },
    { name: 'liquidityTokenProgram' },
    { name: 'instructionSysvarAccount' },
  ],
  args: getStructCodec([
    ['amount', getU64Codec()],
    ['flags', getNullableCodec(getU8Codec())],
  ]),
});
