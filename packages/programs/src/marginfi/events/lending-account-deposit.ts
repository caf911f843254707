import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { getTrailingCodec } from '../../trailing.ts';
import { getI80F48Codec } from '../i80f48.ts';
import { getAccountEventHeaderCodec } from './account-event-header.ts';

/**
 * Tokens were added to a balance. `amount` is what was credited, in base units of the underlying. `shareAmount` (raw I80F48)
 * exists from 0.1.9 and is null before.
 */
export const lendingAccountDepositEvent = defineEvent({
  name: 'LendingAccountDepositEvent',
  discriminator: Uint8Array.of(161, 54, 237, 217, 105, 248, 122, 151),
  fields: getStructCodec([
    ['header', getAccountEventHeaderCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['amount', getU64Codec()],
    ['shareAmount', getTrailingCodec(getI80F48Codec())],
  ]),
});
