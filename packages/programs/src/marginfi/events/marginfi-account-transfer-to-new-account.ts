import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getAccountEventHeaderCodec } from './account-event-header.ts';

/** Every balance moved to a new account; the header is the new one's. */
export const marginfiAccountTransferToNewAccountEvent = defineEvent({
  name: 'MarginfiAccountTransferToNewAccount',
  discriminator: Uint8Array.of(59, 105, 171, 110, 223, 136, 80, 89),
  fields: getStructCodec([
    ['header', getAccountEventHeaderCodec()],
    ['oldAccount', getAddressCodec()],
    ['oldAccountAuthority', getAddressCodec()],
    ['newAccountAuthority', getAddressCodec()],
  ]),
});
