import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Exchanges tokens for receipts and puts those under an obligation. `liquidityAmount` is underlying, in base units. Accrues the reserve's
 * interest itself and reads neither oracle.
 */
export const depositSolendLiquidityAndCollateral = defineInstruction({
  name: 'deposit_reserve_liquidity_and_obligation_collateral',
  discriminator: Uint8Array.of(14),
  accounts: [
    { name: 'sourceLiquidity', isWritable: true },
    { name: 'userCollateral', isWritable: true },
    { name: 'reserve', isWritable: true },
    { name: 'reserveLiquiditySupply', isWritable: true },
    { name: 'reserveCollateralMint', isWritable: true },
    { name: 'lendingMarket' },
    { name: 'lendingMarketAuthority' },
    { name: 'destinationCollateral', isWritable: true },
    { name: 'obligation', isWritable: true },
    { name: 'obligationOwner', isSigner: true },
    { name: 'pythOracle' },
    { name: 'switchboardOracle' },
    { name: 'userTransferAuthority', isSigner: true },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([['liquidityAmount', getU64Codec()]]),
});
