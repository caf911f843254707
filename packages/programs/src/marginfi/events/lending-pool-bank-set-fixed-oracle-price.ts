import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getI80F48Codec } from '../i80f48.ts';
import { getGroupEventHeaderCodec } from './group-event-header.ts';

/** A bank has a fixed price: USD for one UI token, raw I80F48. */
export const lendingPoolBankSetFixedOraclePriceEvent = defineEvent({
  name: 'LendingPoolBankSetFixedOraclePriceEvent',
  discriminator: Uint8Array.of(65, 72, 8, 85, 229, 20, 90, 26),
  fields: getStructCodec([
    ['header', getGroupEventHeaderCodec()],
    ['bank', getAddressCodec()],
    ['price', getI80F48Codec()],
  ]),
});
