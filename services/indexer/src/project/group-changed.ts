import type { Message } from '@lending/events';
import { insertGroupChanges, type Transaction } from '@lending/store';

/** Adds what happened to banks and their group. The same again changes nothing, and of a dropped slot nothing is taken in. */
export async function projectGroupChanged(
  transaction: Transaction,
  messages: readonly Message<'group.changed.v1'>[],
): Promise<void> {
  await insertGroupChanges(
    transaction,
    messages.map(({ payload: { group, bank, change, ...payload }, slot, time }) => {
      const { kind, ...detail } = change;
      return { ...payload, address: bank ?? group, kind, detail, slot, time };
    }),
  );
}
