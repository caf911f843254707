import type { Message } from '@lending/events';
import { type Transaction, upsertWallets } from '@lending/store';

/** Writes what wallets hold. An older reading never overwrites a newer one. */
export async function projectWalletUpdated(
  transaction: Transaction,
  messages: readonly Message<'wallet.updated.v1'>[],
): Promise<void> {
  await upsertWallets(
    transaction,
    messages.map(({ payload: { wallet, ...payload }, slot, time, source }) => ({
      ...payload,
      address: wallet,
      source,
      slot,
      slotTime: time,
    })),
  );
}
