import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { getGroupEventHeaderCodec } from './group-event-header.ts';

/** The limits of a bank changed whose other settings are frozen. Base units. */
export const lendingPoolBankConfigureFrozenEvent = defineEvent({
  name: 'LendingPoolBankConfigureFrozenEvent',
  discriminator: Uint8Array.of(24, 10, 55, 18, 49, 150, 157, 179),
  fields: getStructCodec([
    ['header', getGroupEventHeaderCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['depositLimit', getU64Codec()],
    ['borrowLimit', getU64Codec()],
  ]),
});
