import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Pays back a debt; anyone may. `liquidityAmount` is in base units, 2^64 - 1 is all of it. Accrues the reserve's interest itself. */
export const repaySolendLiquidity = defineInstruction({
  name: 'repay_obligation_liquidity',
  discriminator: Uint8Array.of(11),
  accounts: [
    { name: 'sourceLiquidity', isWritable: true },
    { name: 'destinationLiquidity', isWritable: true },
    { name: 'repayReserve', isWritable: true },
    { name: 'obligation', isWritable: true },
    { name: 'lendingMarket' },
    { name: 'userTransferAuthority', isSigner: true },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([['liquidityAmount', getU64Codec()]]),
});
