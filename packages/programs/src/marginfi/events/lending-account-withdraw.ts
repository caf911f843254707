import { getBooleanCodec, getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { getTrailingCodec } from '../../trailing.ts';
import { getI80F48Codec } from '../i80f48.ts';
import { getAccountEventHeaderCodec } from './account-event-header.ts';

/**
 * Tokens were taken out of a balance. `amount` is what left the vault, a Token-2022 fee included, in base units; in Kamino and
 * Solend banks it is collateral tokens. `shareAmount` (raw I80F48) exists from 0.1.9 and is null before.
 */
export const lendingAccountWithdrawEvent = defineEvent({
  name: 'LendingAccountWithdrawEvent',
  discriminator: Uint8Array.of(3, 220, 148, 243, 33, 249, 54, 88),
  fields: getStructCodec([
    ['header', getAccountEventHeaderCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['amount', getU64Codec()],
    ['closeBalance', getBooleanCodec()],
    ['shareAmount', getTrailingCodec(getI80F48Codec())],
  ]),
});
