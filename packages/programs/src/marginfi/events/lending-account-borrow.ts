import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { getTrailingCodec } from '../../trailing.ts';
import { getI80F48Codec } from '../i80f48.ts';
import { getAccountEventHeaderCodec } from './account-event-header.ts';

/**
 * Tokens were borrowed. `amount` is what the debt went up by, the origination fee included, in base units. `shareAmount` (raw
 * I80F48) exists from 0.1.9 and is null before.
 */
export const lendingAccountBorrowEvent = defineEvent({
  name: 'LendingAccountBorrowEvent',
  discriminator: Uint8Array.of(223, 96, 81, 10, 156, 99, 26, 59),
  fields: getStructCodec([
    ['header', getAccountEventHeaderCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['amount', getU64Codec()],
    ['shareAmount', getTrailingCodec(getI80F48Codec())],
  ]),
});
