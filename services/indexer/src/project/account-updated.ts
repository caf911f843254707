import type { Message } from '@lending/events';
import { type AccountWrite, recordTagChanges, type Transaction, upsertAccounts } from '@lending/store';

/** Writes what accounts are, with their balances, and how their liquidation tags changed. An older write never overwrites a newer one. */
export async function projectAccountUpdated(
  transaction: Transaction,
  messages: readonly Message<'account.updated.v1'>[],
): Promise<void> {
  const rows = messages.map(toRow);
  await recordTagChanges(transaction, rows);
  await upsertAccounts(transaction, rows);
}

function toRow({ payload, slot, time, source }: Message<'account.updated.v1'>): AccountWrite {
  const { account, writeVersion, state } = payload;
  return {
    address: account,
    state: state === null ? null : { ...state, groupAddress: state.group, balances: state.balances.map(toBalance) },
    source,
    slot,
    writeVersion,
    slotTime: time,
  };
}

type Balance = NonNullable<Message<'account.updated.v1'>['payload']['state']>['balances'][number];

function toBalance({ slot: slotIndex, tag: orderTag, ...balance }: Balance) {
  return { slotIndex, orderTag, ...balance };
}
