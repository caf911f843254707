import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Exchanges tokens for a reserve's receipts (cTokens). `liquidityAmount` is underlying, in base units. Accrues the reserve's interest itself.
 */
export const depositSolendLiquidity = defineInstruction({
  name: 'deposit_reserve_liquidity',
  discriminator: Uint8Array.of(4),
  accounts: [
    { name: 'sourceLiquidity', isWritable: true },
    { name: 'destinationCollateral', isWritable: true },
    { name: 'reserve', isWritable: true },
    { name: 'reserveLiquiditySupply', isWritable: true },
    { name: 'reserveCollateralMint', isWritable: true },
    { name: 'lendingMarket' },
    { name: 'lendingMarketAuthority' },
    { name: 'userTransferAuthority', isSigner: true },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([['liquidityAmount', getU64Codec()]]),
});
