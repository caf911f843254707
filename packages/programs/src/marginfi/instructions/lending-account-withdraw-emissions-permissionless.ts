import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** The same on anyone's initiative, to the wallet the account registered for it. From 0.1.1 to 0.1.7. */
export const lendingAccountWithdrawEmissionsPermissionless = defineInstruction({
  name: 'lending_account_withdraw_emissions_permissionless',
  discriminator: Uint8Array.of(4, 174, 124, 203, 44, 49, 145, 150),
  accounts: [
    { name: 'group' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'bank', isWritable: true },
    { name: 'emissionsMint' },
    { name: 'emissionsAuth' },
    { name: 'emissionsVault', isWritable: true },
    { name: 'destinationAccount', isWritable: true },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([]),
});
