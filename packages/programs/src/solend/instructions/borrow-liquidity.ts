import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Borrows against an obligation; it and the reserve are refreshed in this slot. `liquidityAmount` is in base units, 2^64 - 1 is as much as
 * possible. After these come the reserves of the obligation's deposits, writable, then the host's fee account if there is one.
 */
export const borrowSolendLiquidity = defineInstruction({
  name: 'borrow_obligation_liquidity',
  discriminator: Uint8Array.of(10),
  accounts: [
    { name: 'sourceLiquidity', isWritable: true },
    { name: 'destinationLiquidity', isWritable: true },
    { name: 'borrowReserve', isWritable: true },
    { name: 'feeReceiver', isWritable: true },
    { name: 'obligation', isWritable: true },
    { name: 'lendingMarket', isWritable: true },
    { name: 'lendingMarketAuthority' },
    { name: 'obligationOwner', isSigner: true },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([['liquidityAmount', getU64Codec()]]),
});
