/** A member of a group, by join order or name, and what it subscribes to. */
export interface GroupMember<Id extends bigint | string = bigint> {
  readonly member: Id;
  readonly topics: readonly string[];
}

export interface LogPartition {
  readonly id: number;
  readonly topic: string;
  readonly partition: number;
}

/**
 * Who should read what: every partition goes to one member that subscribes to its topic, round robin in the order of the members.
 * Depends on nothing but its arguments, so all members come to the same answer without talking.
 * @returns ids of the partitions of `self`
 */
export function assignPartitions<Id extends bigint | string>(
  self: Id,
  members: readonly GroupMember<Id>[],
  partitions: readonly LogPartition[],
): ReadonlySet<number> {
  const joined = members.toSorted((a, b) => (a.member < b.member ? -1 : 1));
  const ordered = partitions.toSorted((a, b) => compareText(a.topic, b.topic) || a.partition - b.partition);
  const mine = new Set<number>();
  let turn = 0;
  for (const { id, topic } of ordered) {
    const candidates = joined.filter((member) => member.topics.includes(topic));
    if (candidates.length === 0) continue;
    if (candidates[turn % candidates.length]?.member === self) mine.add(id);
    turn += 1;
  }
  return mine;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
