import type { Message } from '@lending/events';
import { type Transaction, upsertBankAudits } from '@lending/store';

/** Writes the newest comparison of each figure of a bank. What knows of fewer differences, or is of an older slot, overwrites nothing. */
export async function projectBankAudited(
  transaction: Transaction,
  messages: readonly Message<'bank.audited.v1'>[],
): Promise<void> {
  await upsertBankAudits(
    transaction,
    messages.map(({ payload, slot, time, source }) => ({ ...payload, slot, slotTime: time, source })),
  );
}
