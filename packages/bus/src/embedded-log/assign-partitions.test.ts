import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignPartitions, type GroupMember, type LogPartition } from './assign-partitions.ts';

const TOPICS = ['a', 'b', 'c'];
const PARTITIONS: LogPartition[] = TOPICS.flatMap((topic, index) =>
  Array.from({ length: 4 }, (_, partition) => ({ id: index * 10 + partition, topic, partition })),
);

const groups = fc
  .uniqueArray(fc.bigInt({ min: 1n, max: 99n }), { minLength: 1, maxLength: 8 })
  .chain((ids) =>
    fc.tuple(...ids.map((member) => fc.record({ member: fc.constant(member), topics: fc.subarray(TOPICS) }))),
  );

function assignAll(members: readonly GroupMember[]): Map<bigint, ReadonlySet<number>> {
  return new Map(members.map(({ member }) => [member, assignPartitions(member, members, PARTITIONS)]));
}

describe('assignPartitions', () => {
  it('gives each partition to exactly one of those that subscribe to it', () => {
    fc.assert(
      fc.property(groups, (members) => {
        const all = assignAll(members);
        for (const { id, topic } of PARTITIONS) {
          const owners = members.filter(({ member }) => all.get(member)?.has(id));
          const isWanted = members.some(({ topics }) => topics.includes(topic));
          expect(owners).toHaveLength(isWanted ? 1 : 0);
          expect(owners.every(({ topics }) => topics.includes(topic))).toBe(true);
        }
      }),
    );
  });

  it('comes to the same answer whatever order members and partitions are seen in', () => {
    fc.assert(
      fc.property(groups, (members) => {
        const { member } = members[0] as GroupMember;
        const answer = assignPartitions(member, members, PARTITIONS);
        expect(assignPartitions(member, members.toReversed(), PARTITIONS.toReversed())).toEqual(answer);
      }),
    );
  });

  it('shares evenly among members with the same topics', () => {
    const members = [1n, 2n, 3n, 4n, 5n].map((member) => ({ member, topics: TOPICS }));
    const sizes = [...assignAll(members).values()].map(({ size }) => size);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });
});
