import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAccountEventHeaderCodec } from './account-event-header.ts';

/** An account exists. */
export const marginfiAccountCreateEvent = defineEvent({
  name: 'MarginfiAccountCreateEvent',
  discriminator: Uint8Array.of(183, 5, 117, 104, 122, 199, 68, 51),
  fields: getStructCodec([['header', getAccountEventHeaderCodec()]]),
});
