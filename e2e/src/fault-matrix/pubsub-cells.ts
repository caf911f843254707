import type { FaultCell, Seen } from './fault-cell.ts';

/** Accounts and activity are followed by the socket; rates and builds do not need it. */
const NOT_FOLLOWED: Seen = {
  parts: { api: /^accounts: accounts were followed until/ },
  reads: 'go on',
  deposits: 'go on',
  loops: 'go on',
};

export const PUBSUB_CELLS: readonly FaultCell[] = [
  {
    name: 'PubSub: network cut',
    strike: ({ links }) => links.pubsub.cut(),
    heal: ({ links }) => links.pubsub.heal(),
    seen: NOT_FOLLOWED,
  },
  {
    name: 'PubSub: paused',
    provenBy: 'PubSub: answers are lost (half-open)',
    strike: ({ links }) => links.pubsub.pause(),
    heal: ({ links }) => links.pubsub.heal(),
    seen: NOT_FOLLOWED,
  },
  {
    name: 'PubSub: answers are lost (half-open)',
    strike: ({ links }) => links.pubsub.pause('answers'),
    heal: ({ links }) => links.pubsub.heal(),
    seen: NOT_FOLLOWED,
  },
  {
    name: 'PubSub: slowed',
    strike: ({ links }) => links.pubsub.slow({ latencyMs: 20, bytesPerSecond: 1_000_000 }),
    heal: ({ links }) => links.pubsub.heal(),
    seen: { reads: 'go on', deposits: 'go on', loops: 'go on' },
  },
];
