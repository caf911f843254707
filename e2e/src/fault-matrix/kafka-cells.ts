import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultCell, Seen } from './fault-cell.ts';
import { type FaultWorld, KAFKA_CONNECTIONS } from './fault-world.ts';

/** The poller keeps what it reads, and says so; reads go on with what the tables have; builds do not need the log. */
const LOG_DOWN: Seen = {
  parts: { 'rate-poller': /^rate-poller log: BUS__/, api: /^data: the newest rate sample is/ },
  lines: [{ service: 'rate-poller', begins: /rate\.publish\.fail/, ends: /rate\.publish\.resume/ }],
  reads: 'aging',
  deposits: 'go on',
  loops: 'go on',
};

/** A broker that is busy refusing may leave some of them waiting. */
const CONNECTED_MS = 5_000;

/** Connections of a stranger that fill the broker. */
const strangers: Socket[] = [];

export const KAFKA_CELLS: readonly FaultCell[] = [
  {
    name: 'Kafka broker: killed and restarted',
    strike: ({ broker }) => broker.interrupt(),
    heal: ({ broker }) => broker.resume(),
    seen: LOG_DOWN,
  },
  {
    name: 'Kafka broker: paused',
    provenBy: 'Kafka broker: answers are lost (half-open)',
    strike: ({ links }) => links.kafka.pause(),
    heal: ({ links }) => links.kafka.heal(),
    seen: LOG_DOWN,
  },
  {
    name: 'Kafka broker: slowed',
    strike: ({ links }) => links.kafka.slow({ latencyMs: 150, bytesPerSecond: 200_000 }),
    heal: ({ links }) => links.kafka.heal(),
    seen: { deposits: 'go on', loops: 'go on' },
  },
  {
    name: 'Kafka broker: network cut',
    provenBy: 'Kafka broker: connections exhausted',
    strike: ({ links }) => links.kafka.cut(),
    heal: ({ links }) => links.kafka.heal(),
    seen: LOG_DOWN,
  },
  {
    name: 'Kafka broker: answers are lost (half-open)',
    strike: ({ links }) => links.kafka.pause('answers'),
    heal: ({ links }) => links.kafka.heal(),
    seen: LOG_DOWN,
  },
  {
    name: 'Kafka broker: connections exhausted',
    async strike({ links, brokerPort }) {
      links.kafka.cut();
      for (let count = 0; count < 2 * KAFKA_CONNECTIONS; count += 1) strangers.push(callBroker(brokerPort));
      await Promise.race([Promise.all(strangers.map(connected)), sleep(CONNECTED_MS)]);
      links.kafka.heal();
    },
    heal: () => {
      for (const stranger of strangers.splice(0)) stranger.destroy();
    },
    seen: LOG_DOWN,
  },
  {
    name: 'Kafka broker: disk full',
    needs: 'a disk of its own',
    strike: ({ disks }: FaultWorld) => disks.kafka.fill(),
    // A broker whose only disk fails ends; whoever runs it starts it again, once there is room.
    async heal({ disks, broker }) {
      await disks.kafka.makeRoom();
      await broker.interrupt();
      await broker.resume();
    },
    seen: LOG_DOWN,
  },
];

function callBroker(port: number): Socket {
  return connect({ port, host: '127.0.0.1' }).on('error', () => undefined);
}

/** Or refused. */
function connected(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('connect', () => resolve()).once('error', () => resolve()));
}
