import type { FaultCell, Seen } from './fault-cell.ts';

/** Nothing is sampled: a gap. Answers go on with their age; nothing is built. */
export const NODE_DOWN: Seen = {
  parts: { 'rate-poller': /^rate-poller: /, api: /^data: the newest rate sample is/ },
  lines: [{ service: 'rate-poller', begins: /chain\.endpoint\.fail/, ends: /chain\.endpoint\.resume/ }],
  reads: 'aging',
  deposits: 'refused',
  loops: 'refused',
};

/** The node's HTTP, and in the first cell its sockets too. */
export const NODE_CELLS: readonly FaultCell[] = [
  {
    name: 'RPC node: killed and restarted',
    strike({ links }) {
      links.rpc.cut();
      links.pubsub.cut();
    },
    heal({ links }) {
      links.rpc.heal();
      links.pubsub.heal();
    },
    seen: { ...NODE_DOWN, parts: { ...NODE_DOWN.parts, api: /^accounts: accounts were followed until/ } },
  },
  {
    name: 'RPC node over HTTP: network cut',
    provenBy: 'RPC node: killed and restarted',
    strike: ({ links }) => links.rpc.cut(),
    heal: ({ links }) => links.rpc.heal(),
    seen: NODE_DOWN,
  },
  {
    name: 'RPC node over HTTP: paused',
    strike: ({ links }) => links.rpc.pause(),
    heal: ({ links }) => links.rpc.heal(),
    seen: NODE_DOWN,
  },
  {
    name: 'RPC node over HTTP: answers are lost (half-open)',
    provenBy: 'RPC node over HTTP: paused',
    strike: ({ links }) => links.rpc.pause('answers'),
    heal: ({ links }) => links.rpc.heal(),
    seen: NODE_DOWN,
  },
  {
    name: 'RPC node over HTTP: slowed',
    strike: ({ links }) => links.rpc.slow({ latencyMs: 60, bytesPerSecond: 2_000_000 }),
    heal: ({ links }) => links.rpc.heal(),
    seen: { deposits: 'go on' },
  },
];
