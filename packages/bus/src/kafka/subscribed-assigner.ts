import type { GroupMember as KafkaMember, PartitionAssigner } from 'kafkajs';
import { assignPartitions } from '#embedded-log/assign-partitions.ts';
import { AssignerProtocol } from './kafkajs.ts';

const NAME = 'SubscribedAssigner';
const NO_USER_DATA = Buffer.alloc(0);

/**
 * Gives each partition to one member that subscribes to its topic, as the embedded log does. kafkajs' own assigner takes it that all
 * members subscribe to what the leader does: while versions with different topics share a group, a topic that is new is read by nobody
 * where the leader does not know it, and not where it falls to a member that does not.
 * @see kafkajs src/consumer/assigners/roundRobinAssigner
 */
export const subscribedAssigner: PartitionAssigner = ({ cluster }) => ({
  name: NAME,
  version: 0,
  async assign({ members }) {
    const subscribers = members.map((member) => ({ member: member.memberId, topics: topicsOf(member) }));
    const topics = [...new Set(subscribers.flatMap((subscriber) => subscriber.topics))];
    // Those of others, too: a client knows only the topics that it asked for.
    await cluster.addMultipleTargetTopics(topics);
    const partitions = topics
      .flatMap((topic) =>
        cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => ({ topic, partition: partitionId })),
      )
      .map((partition, id) => ({ ...partition, id }));
    return subscribers.map(({ member }) => {
      const mine = assignPartitions(member, subscribers, partitions);
      const byTopic = Map.groupBy(
        partitions.filter(({ id }) => mine.has(id)),
        ({ topic }) => topic,
      );
      const assignment = Object.fromEntries(
        [...byTopic].map(([topic, all]) => [topic, all.map(({ partition }) => partition)]),
      );
      return {
        memberId: member,
        memberAssignment: AssignerProtocol.MemberAssignment.encode({ version: 0, assignment, userData: NO_USER_DATA }),
      };
    });
  },
  protocol({ topics }) {
    return {
      name: NAME,
      metadata: AssignerProtocol.MemberMetadata.encode({ version: 0, topics, userData: NO_USER_DATA }),
    };
  },
});

function topicsOf({ memberMetadata }: KafkaMember): readonly string[] {
  return AssignerProtocol.MemberMetadata.decode(memberMetadata)?.topics ?? [];
}
