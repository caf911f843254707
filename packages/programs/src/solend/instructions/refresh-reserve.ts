import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Brings a reserve's interest and prices to this slot; anyone may send it. A reserve with an extra oracle needs that account after these.
 */
export const refreshSolendReserve = defineInstruction({
  name: 'refresh_reserve',
  discriminator: Uint8Array.of(3),
  accounts: [{ name: 'reserve', isWritable: true }, { name: 'pythOracle' }, { name: 'switchboardOracle' }],
  args: getStructCodec([]),
});
