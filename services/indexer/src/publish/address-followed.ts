import { type AddressFollowed, createMessage, type Message, type MessageSource } from '@lending/events';
import type { Slot } from '@solana/kit';

/** The message that an address is followed since a slot, and what it turned out to be. */
export function toAddressFollowed(
  payload: AddressFollowed,
  moment: { readonly slot: Slot; readonly unixTimestamp: bigint },
  source: MessageSource,
): Message<'address.followed.v1'> {
  const { address, aspect } = payload;
  return createMessage({ topic: 'address.followed.v1', key: address, ...moment, source, part: aspect, payload });
}
