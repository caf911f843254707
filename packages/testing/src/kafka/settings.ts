/** The settings of a single broker for tests. */
export function brokerSettings(): Readonly<Record<string, string>> {
  return {
    'auto.create.topics.enable': 'false',
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '1',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '1',
    'share.coordinator.state.topic.replication.factor': '1',
    'share.coordinator.state.topic.min.isr': '1',
    // Tests wait for rebalances: join at once, and let members set short sessions.
    'group.initial.rebalance.delay.ms': '0',
    'group.min.session.timeout.ms': '500',
    // A killed broker may come back only when its last session ran out.
    'broker.session.timeout.ms': '2000',
    'broker.heartbeat.interval.ms': '300',
    'log.retention.check.interval.ms': '1000',
  };
}
