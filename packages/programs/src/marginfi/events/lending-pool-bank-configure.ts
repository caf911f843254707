import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getBankConfigOptCodec } from '../instructions/bank-config-opt.ts';
import { getGroupEventHeaderCodec } from './group-event-header.ts';

/** A bank's parameters changed: null is what stayed. */
export const lendingPoolBankConfigureEvent = defineEvent({
  name: 'LendingPoolBankConfigureEvent',
  discriminator: Uint8Array.of(246, 35, 233, 110, 93, 152, 235, 40),
  fields: getStructCodec([
    ['header', getGroupEventHeaderCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['config', getBankConfigOptCodec()],
  ]),
});
