import { getBooleanCodec, getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAccountEventHeaderCodec } from './account-event-header.ts';

/** A group's admin froze an account, or let it go. */
export const marginfiAccountFreezeEvent = defineEvent({
  name: 'MarginfiAccountFreezeEvent',
  discriminator: Uint8Array.of(219, 219, 57, 178, 75, 86, 146, 122),
  fields: getStructCodec([
    ['header', getAccountEventHeaderCodec()],
    ['frozen', getBooleanCodec()],
  ]),
});
