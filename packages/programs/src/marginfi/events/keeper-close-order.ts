import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getAccountEventHeaderCodec } from './account-event-header.ts';

/** A keeper closed an order that had lost its balances. From 0.1.8. */
export const keeperCloseOrderEvent = defineEvent({
  name: 'KeeperCloseOrderEvent',
  discriminator: Uint8Array.of(46, 152, 11, 174, 92, 157, 77, 64),
  fields: getStructCodec([
    ['header', getAccountEventHeaderCodec()],
    ['order', getAddressCodec()],
  ]),
});
