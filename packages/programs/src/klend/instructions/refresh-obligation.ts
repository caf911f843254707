import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Values an obligation anew. The remaining accounts are the reserves of its deposits and then of its borrows, in the obligation's own
 * order, each refreshed in this slot.
 */
export const klendRefreshObligation = defineInstruction({
  name: 'refresh_obligation',
  discriminator: Uint8Array.of(33, 132, 147, 228, 151, 192, 72, 89),
  accounts: [{ name: 'lendingMarket' }, { name: 'obligation', isWritable: true }],
  args: getStructCodec([]),
});
