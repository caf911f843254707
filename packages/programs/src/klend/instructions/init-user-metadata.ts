import { getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Makes the account that klend keeps for every owner, once.
 */
export const klendInitUserMetadata = defineInstruction({
  name: 'init_user_metadata',
  discriminator: Uint8Array.of(117, 169, 176, 69, 197, 23, 15, 162),
  accounts: [
    { name: 'owner', isSigner: true },
    { name: 'feePayer', isWritable: true, isSigner: true },
    { name: 'userMetadata', isWritable: true },
    { name: 'referrerUserMetadata', isOptional: true },
    { name: 'rent' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([['userLookupTable', getAddressCodec()]]),
});
