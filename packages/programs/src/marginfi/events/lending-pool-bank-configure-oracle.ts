import { getAddressCodec, getStructCodec, getU8Codec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
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
