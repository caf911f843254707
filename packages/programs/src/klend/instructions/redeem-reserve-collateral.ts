import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Turns cTokens of the owner's own into tokens. The amount is of cTokens.
 */
export const klendRedeemReserveCollateral = defineInstruction({
  name: 'redeem_reserve_collateral',
  discriminator: Uint8Array.of(234, 117, 181, 125, 185, 142, 220, 29),
  accounts: [
    { name: 'owner', isSigner: true },
    { name: 'lendingMarket' },
    { name: 'reserve', isWritable: true },
    { name: 'lendingMarketAuthority' },
    { name: 'reserveLiquidityMint' },
    { name: 'reserveCollateralMint', isWritable: true },
    { name: 'reserveLiquiditySupply', isWritable: true },
    { name: 'userSourceCollateral', isWritable: true },
    { name: 'userDestinationLiquidity', isWritable: true },
    { name: 'collateralTokenProgram' },
    { name: 'liquidityTokenProgram' },
    { name: 'instructionSysvarAccount' },
  ],
  args: getStructCodec([['collateralAmount', getU64Codec()]]),
});
