import { createMessage, type GroupChanged, type Message, type MessageSource } from '@lending/events';
import type { GroupChange } from '@lending/venues';
import type { ActivityOrigin } from './activity-recorded.ts';
import { textOf } from './text-of.ts';

/** The message of what happened to a bank or the group. The same event of the same slot has the same id. */
export function toGroupChanged(
  { change, ...plain }: GroupChange,
  { slot, unixTimestamp, finality }: ActivityOrigin,
  source: MessageSource,
): Message<'group.changed.v1'> {
  return createMessage({
    topic: 'group.changed.v1',
    key: plain.bank ?? plain.group,
    slot,
    unixTimestamp,
    source,
    part: plain.id,
    payload: { ...plain, finality, change: textOf(change) as GroupChanged['change'] },
  });
}
