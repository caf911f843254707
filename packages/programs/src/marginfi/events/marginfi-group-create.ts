import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getGroupEventHeaderCodec } from './group-event-header.ts';

/** A group exists. */
export const marginfiGroupCreateEvent = defineEvent({
  name: 'MarginfiGroupCreateEvent',
  discriminator: Uint8Array.of(233, 125, 61, 14, 98, 240, 136, 253),
  fields: getStructCodec([['header', getGroupEventHeaderCodec()]]),
});
