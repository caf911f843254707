import { getF64Codec, getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { getGroupEventHeaderCodec } from './group-event-header.ts';

/**
 * A bank accrued interest over `delta` seconds. What was collected is in base units, for display: the program rounds it to a
 * float.
 */
export const lendingPoolBankAccrueInterestEvent = defineEvent({
  name: 'LendingPoolBankAccrueInterestEvent',
  discriminator: Uint8Array.of(104, 117, 187, 156, 111, 154, 106, 186),
  fields: getStructCodec([
    ['header', getGroupEventHeaderCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['delta', getU64Codec()],
    ['feesCollected', getF64Codec()],
    ['insuranceCollected', getF64Codec()],
  ]),
});
