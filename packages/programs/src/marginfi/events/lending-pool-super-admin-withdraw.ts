import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { getGroupEventHeaderCodec } from './group-event-header.ts';

/** The admin took base units out of a bank's vault, at the lenders' cost. */
export const lendingPoolSuperAdminWithdrawEvent = defineEvent({
  name: 'LendingPoolSuperAdminWithdrawEvent',
  discriminator: Uint8Array.of(107, 168, 232, 181, 144, 161, 252, 37),
  fields: getStructCodec([
    ['header', getGroupEventHeaderCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['vaultOutflowAmount', getU64Codec()],
  ]),
});
