import { getArrayCodec, getNullableCodec, getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getAccountEventHeaderCodec } from './account-event-header.ts';

/** The owner let keepers close the orders of some banks; null is all of them. From 0.1.8. */
export const setKeeperCloseFlagsEvent = defineEvent({
  name: 'SetKeeperCloseFlagsEvent',
  discriminator: Uint8Array.of(193, 230, 93, 128, 117, 87, 96, 21),
  fields: getStructCodec([
    ['header', getAccountEventHeaderCodec()],
    ['bankKeys', getNullableCodec(getArrayCodec(getAddressCodec()))],
  ]),
});
