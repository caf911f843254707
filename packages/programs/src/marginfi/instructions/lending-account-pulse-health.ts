import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Writes what the program thinks of an account into its health cache. Anyone may. Remaining accounts: the health accounts of all balances. */
export const lendingAccountPulseHealth = defineInstruction({
  name: 'lending_account_pulse_health',
  discriminator: Uint8Array.of(186, 52, 117, 97, 34, 74, 39, 253),
  accounts: [{ name: 'marginfiAccount', isWritable: true }],
  args: getStructCodec([]),
});
