import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getGroupEventHeaderCodec } from './group-event-header.ts';

/** A bank exists. */
export const lendingPoolBankCreateEvent = defineEvent({
  name: 'LendingPoolBankCreateEvent',
  discriminator: Uint8Array.of(236, 220, 201, 63, 239, 126, 136, 249),
  fields: getStructCodec([
    ['header', getGroupEventHeaderCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
  ]),
});
