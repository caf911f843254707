import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU8Codec } from '../../fixed-offset/number-codecs.ts';
import { getGroupEventHeaderCodec } from './group-event-header.ts';

/** A bank has another oracle. `oracle` is the first key of the setup. */
export const lendingPoolBankConfigureOracleEvent = defineEvent({
  name: 'LendingPoolBankConfigureOracleEvent',
  discriminator: Uint8Array.of(119, 140, 110, 253, 150, 64, 210, 62),
  fields: getStructCodec([
    ['header', getGroupEventHeaderCodec()],
    ['bank', getAddressCodec()],
    ['oracleSetup', getU8Codec()],
    ['oracle', getAddressCodec()],
  ]),
});
