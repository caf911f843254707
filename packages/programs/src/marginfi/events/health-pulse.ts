import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getHealthCacheCodec } from '../health-cache.ts';

/** What the program thinks of an account's health. Not emitted by the instructions that write the cache on their way. */
export const healthPulseEvent = defineEvent({
  name: 'HealthPulseEvent',
  discriminator: Uint8Array.of(183, 159, 218, 110, 61, 220, 65, 1),
  fields: getStructCodec([
    ['account', getAddressCodec()],
    ['healthCache', getHealthCacheCodec()],
  ]),
});
