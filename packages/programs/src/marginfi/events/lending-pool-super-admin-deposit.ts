import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { getGroupEventHeaderCodec } from './group-event-header.ts';

/** The admin put base units into a bank's vault, to the lenders' gain. */
export const lendingPoolSuperAdminDepositEvent = defineEvent({
  name: 'LendingPoolSuperAdminDepositEvent',
  discriminator: Uint8Array.of(99, 152, 211, 30, 58, 165, 210, 71),
  fields: getStructCodec([
    ['header', getGroupEventHeaderCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['transferAmount', getU64Codec()],
    ['vaultInflowAmount', getU64Codec()],
  ]),
});
