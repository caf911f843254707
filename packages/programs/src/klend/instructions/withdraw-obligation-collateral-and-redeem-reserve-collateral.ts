import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Takes cTokens out of an obligation and turns them into tokens; the amount is of cTokens, and more than there are means all. It wants
 * the refreshes at exact places around it.
 */
export const klendWithdrawObligationCollateralAndRedeemReserveCollateral = defineInstruction({
  name: 'withdraw_obligation_collateral_and_redeem_reserve_collateral',
  discriminator: Uint8Array.of(75, 93, 93, 220, 34, 150, 218, 196),
  accounts: [
    { name: 'owner', isWritable: true, isSigner: true },
    { name: 'obligation', isWritable: true },
    { name: 'lendingMarket' },
    { name: 'lendingMarketAuthority' },
    { name: 'withdrawReserve', isWritable: true },
    { name: 'reserveLiquidityMint' },
    { name: 'reserveSourceCollateral', isWritable: true },
    { name: 'reserveCollateralMint', isWritable: true },
    { name: 'reserveLiquiditySupply', isWritable: true },
    { name: 'userDestinationLiquidity', isWritable: true },
    { name: 'placeholderUserDestinationCollateral', isOptional: true },
    { name: 'collateralTokenProgram' },
    { name: 'liquidityTokenProgram' },
    { name: 'instructionSysvarAccount' },
  ],
  args: getStructCodec([['collateralAmount', getU64Codec()]]),
});
