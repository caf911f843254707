import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Names the wallet that receives rewards paid to the account. */
export const marginfiAccountUpdateEmissionsDestinationAccount = defineInstruction({
  name: 'marginfi_account_update_emissions_destination_account',
  discriminator: Uint8Array.of(73, 185, 162, 201, 111, 24, 116, 185),
  accounts: [
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'destinationAccount' },
  ],
  args: getStructCodec([]),
});
