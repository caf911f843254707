import { getArrayCodec, getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU8Codec, getU16Codec } from '../../fixed-offset/number-codecs.ts';
import { getI80F48Codec } from '../i80f48.ts';
import { getAccountEventHeaderCodec } from './account-event-header.ts';

/**
 * An order was placed. `trigger`: 0 stop loss, 1 take profit, 2 both; the thresholds in USD, raw I80F48; `tags` mark the two
 * balances. From 0.1.8.
 */
export const marginfiAccountPlaceOrderEvent = defineEvent({
  name: 'MarginfiAccountPlaceOrderEvent',
  discriminator: Uint8Array.of(1, 105, 79, 28, 142, 242, 99, 145),
  fields: getStructCodec([
    ['header', getAccountEventHeaderCodec()],
    ['order', getAddressCodec()],
    ['trigger', getU8Codec()],
    ['stopLoss', getI80F48Codec()],
    ['takeProfit', getI80F48Codec()],
    ['tags', getArrayCodec(getU16Codec(), { size: 2 })],
  ]),
});
