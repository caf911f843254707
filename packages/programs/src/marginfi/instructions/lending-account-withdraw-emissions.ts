import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Pays an account's outstanding rewards in a bank to its authority. Up to 0.1.7. */
export const lendingAccountWithdrawEmissions = defineInstruction({
  name: 'lending_account_withdraw_emissions',
  discriminator: Uint8Array.of(234, 22, 84, 214, 118, 176, 140, 170),
  accounts: [
    { name: 'group' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'bank', isWritable: true },
    { name: 'emissionsMint' },
    { name: 'emissionsAuth' },
    { name: 'emissionsVault', isWritable: true },
    { name: 'destinationAccount', isWritable: true },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([]),
});
