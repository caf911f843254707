import { getF64Codec, getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getAccountEventHeaderCodec } from './account-event-header.ts';

/**
 * A debt was written off: covered by insurance, the rest by the bank's lenders. Base units, rounded to floats by the program.
 */
export const lendingPoolBankHandleBankruptcyEvent = defineEvent({
  name: 'LendingPoolBankHandleBankruptcyEvent',
  discriminator: Uint8Array.of(166, 77, 41, 140, 36, 94, 10, 57),
  fields: getStructCodec([
    ['header', getAccountEventHeaderCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['badDebt', getF64Codec()],
    ['coveredAmount', getF64Codec()],
    ['socializedAmount', getF64Codec()],
  ]),
});
