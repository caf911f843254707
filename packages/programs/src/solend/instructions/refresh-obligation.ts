import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Values an obligation at this slot; anyone may send it. After the obligation come the reserves of its deposits, writable, then those of
 * its borrows, each refreshed in this slot.
 */
export const refreshSolendObligation = defineInstruction({
  name: 'refresh_obligation',
  discriminator: Uint8Array.of(7),
  accounts: [{ name: 'obligation', isWritable: true }],
  args: getStructCodec([]),
});
