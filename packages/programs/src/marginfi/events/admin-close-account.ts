import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getAccountEventHeaderCodec } from './account-event-header.ts';

/** Someone closed an empty account that nobody had used for long; its rent went to the wallet. From 0.1.9. */
export const adminCloseAccountEvent = defineEvent({
  name: 'AdminCloseAccountEvent',
  discriminator: Uint8Array.of(166, 92, 180, 81, 158, 251, 225, 73),
  fields: getStructCodec([
    ['header', getAccountEventHeaderCodec()],
    ['globalFeeWallet', getAddressCodec()],
  ]),
});
