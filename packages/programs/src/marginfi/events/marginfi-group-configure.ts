import { getNullableCodec, getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { getGroupEventHeaderCodec } from './group-event-header.ts';

/** A group's settings changed. `admin` is the new one where it changed; up to 0.1.7 it was always there, with other bytes. */
export const marginfiGroupConfigureEvent = defineEvent({
  name: 'MarginfiGroupConfigureEvent',
  discriminator: Uint8Array.of(241, 104, 172, 167, 41, 195, 199, 170),
  fields: getStructCodec([
    ['header', getGroupEventHeaderCodec()],
    ['admin', getNullableCodec(getAddressCodec())],
    ['flags', getU64Codec()],
  ]),
});
