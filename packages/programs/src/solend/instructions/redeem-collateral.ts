import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Exchanges receipts for tokens, from a reserve refreshed in this slot. `collateralAmount` is cTokens, in base units. */
export const redeemSolendCollateral = defineInstruction({
  name: 'redeem_reserve_collateral',
  discriminator: Uint8Array.of(5),
  accounts: [
    { name: 'sourceCollateral', isWritable: true },
    { name: 'destinationLiquidity', isWritable: true },
    { name: 'reserve', isWritable: true },
    { name: 'reserveCollateralMint', isWritable: true },
    { name: 'reserveLiquiditySupply', isWritable: true },
    { name: 'lendingMarket', isWritable: true },
    { name: 'lendingMarketAuthority' },
    { name: 'userTransferAuthority', isSigner: true },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([['collateralAmount', getU64Codec()]]),
});
