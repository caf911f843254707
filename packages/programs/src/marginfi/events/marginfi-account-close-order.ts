import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getAccountEventHeaderCodec } from './account-event-header.ts';

/** The owner closed an order. From 0.1.8. */
export const marginfiAccountCloseOrderEvent = defineEvent({
  name: 'MarginfiAccountCloseOrderEvent',
  discriminator: Uint8Array.of(158, 34, 122, 98, 23, 146, 229, 212),
  fields: getStructCodec([
    ['header', getAccountEventHeaderCodec()],
    ['order', getAddressCodec()],
  ]),
});
