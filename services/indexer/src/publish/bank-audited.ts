import type { AuditRow } from '@lending/audit';
import { createMessage, type Message, type MessageSource } from '@lending/events';
import { textOf } from './text-of.ts';

/** The message of how one of our figures of a bank compares with the program's, as of its newest comparison. */
export function toBankAudited(
  { slot, ...row }: AuditRow,
  unixTimestamp: bigint,
  source: MessageSource,
): Message<'bank.audited.v1'> {
  const lastDifference = row.lastDifference && textOf(row.lastDifference);
  return createMessage({
    topic: 'bank.audited.v1',
    key: row.bank,
    slot,
    unixTimestamp,
    source,
    part: `${row.figure}:${row.compared}`,
    payload: { ...textOf({ ...row, lastDifference: null }), lastDifference },
  });
}
