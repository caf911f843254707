import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Takes receipts out of an obligation and redeems them; the obligation and the reserve are refreshed in this slot. `collateralAmount` is
 * cTokens, in base units, cut to what may leave. After these come the reserves of all the obligation's deposits, writable, in its order.
 */
export const withdrawSolendCollateralAndRedeem = defineInstruction({
  name: 'withdraw_obligation_collateral_and_redeem_reserve_collateral',
  discriminator: Uint8Array.of(15),
  accounts: [
    { name: 'reserveCollateral', isWritable: true },
    { name: 'userCollateral', isWritable: true },
    { name: 'reserve', isWritable: true },
    { name: 'obligation', isWritable: true },
    { name: 'lendingMarket', isWritable: true },
    { name: 'lendingMarketAuthority' },
    { name: 'userLiquidity', isWritable: true },
    { name: 'reserveCollateralMint', isWritable: true },
    { name: 'reserveLiquiditySupply', isWritable: true },
    { name: 'obligationOwner', isSigner: true },
    { name: 'userTransferAuthority', isSigner: true },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([['collateralAmount', getU64Codec()]]),
});
