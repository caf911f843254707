import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Turns tokens into cTokens of the owner's own. The amount is of the token.
 */
export const klendDepositReserveLiquidity = defineInstruction({
  name: 'deposit_reserve_liquidity',
  discriminator: Uint8Array.of(169, 201, 30, 126, 6, 205, 102, 68),
  accounts: [
    { name: 'owner', isSigner: true },
    { name: 'reserve', isWritable: true },
    { name: 'lendingMarket' },
    { name: 'lendingMarketAuthority' },
    { name: 'reserveLiquidityMint' },
    { name: 'reserveLiquiditySupply', isWritable: true },
    { name: 'reserveCollateralMint', isWritable: true },
    { name: 'userSourceLiquidity', isWritable: true },
    { name: 'userDestinationCollateral', isWritable: true },
    { name: 'collateralTokenProgram' },
    { name: 'liquidityTokenProgram' },
    { name: 'instructionSysvarAccount' },
  ],
  args: getStructCodec([['liquidityAmount', getU64Codec()]]),
});
