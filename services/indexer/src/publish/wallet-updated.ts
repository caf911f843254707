import { createMessage, type Message, type MessageSource, type WalletUpdated } from '@lending/events';
import type { Slot } from '@solana/kit';

/** The message of what a wallet holds as of a slot. */
export function toWalletUpdated(
  payload: WalletUpdated,
  moment: { readonly slot: Slot; readonly unixTimestamp: bigint },
  source: MessageSource,
): Message<'wallet.updated.v1'> {
  return createMessage({ topic: 'wallet.updated.v1', key: payload.wallet, ...moment, source, payload });
}
