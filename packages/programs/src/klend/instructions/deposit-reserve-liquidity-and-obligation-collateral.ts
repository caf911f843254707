import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Turns tokens into cTokens and adds them to an obligation; the amount is of the token. It wants the reserve's and the obligation's
 * refresh, and that of the farm where there is one, at exact places around it.
 */
export const klendDepositReserveLiquidityAndObligationCollateral = defineInstruction({
  name: 'deposit_reserve_liquidity_and_obligation_collateral',
  discriminator: Uint8Array.of(129, 199, 4, 2, 222, 39, 26, 46),
  accounts: [
    { name: 'owner', isWritable: true, isSigner: true },
    { name: 'obligation', isWritable: true },
    { name: 'lendingMarket' },
    { name: 'lendingMarketAuthority' },
    { name: 'reserve', isWritable: true },
    { name: 'reserveLiquidityMint' },
    { name: 'reserveLiquiditySupply', isWritable: true },
    { name: 'reserveCollateralMint', isWritable: true },
    { name: 'reserveDestinationDepositCollateral', isWritable: true },
    { name: 'userSourceLiquidity', isWritable: true },
    { name: 'placeholderUserDestinationCollateral', isOptional: true },
    { name: 'collateralTokenProgram' },
    { name: 'liquidityTokenProgram' },
    { name: 'instructionSysvarAccount' },
  ],
  args: getStructCodec([['liquidityAmount', getU64Codec()]]),
});
