import { getF64Codec, getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getGroupEventHeaderCodec } from './group-event-header.ts';

/** Fees left a bank's liquidity vault. Base units, rounded to floats by the program. */
export const lendingPoolBankCollectFeesEvent = defineEvent({
  name: 'LendingPoolBankCollectFeesEvent',
  discriminator: Uint8Array.of(101, 119, 97, 250, 169, 175, 156, 253),
  fields: getStructCodec([
    ['header', getGroupEventHeaderCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['groupFeesCollected', getF64Codec()],
    ['groupFeesOutstanding', getF64Codec()],
    ['insuranceFeesCollected', getF64Codec()],
    ['insuranceFeesOutstanding', getF64Codec()],
  ]),
});
