import { getBooleanCodec, getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { getTrailingCodec } from '../../trailing.ts';
import { getI80F48Codec } from '../i80f48.ts';
import { getAccountEventHeaderCodec } from './account-event-header.ts';

/**
 * Debt was paid back. `amount` is what the debt went down by, in base units. `shareAmount` (raw I80F48) exists from 0.1.9 and is
 * null before.
 */
export const lendingAccountRepayEvent = defineEvent({
  name: 'LendingAccountRepayEvent',
  discriminator: Uint8Array.of(16, 220, 55, 111, 7, 80, 16, 25),
  fields: getStructCodec([
    ['header', getAccountEventHeaderCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['amount', getU64Codec()],
    ['closeBalance', getBooleanCodec()],
    ['shareAmount', getTrailingCodec(getI80F48Codec())],
  ]),
});
