import type { AggregatorFault } from '@lending/localnet';
import type { FaultCell, Seen } from './fault-cell.ts';
import type { FaultWorld } from './fault-world.ts';

/** Loops need a swap; nothing else does. */
const NO_SWAPS: Seen = {
  reads: 'go on',
  deposits: 'go on',
  loops: 'refused',
  refusals: ['SWAP_ROUTE_UNAVAILABLE'],
};

const set = ({ aggregators }: FaultWorld, fault: AggregatorFault | null): void => {
  aggregators.setFault('jupiter', fault);
  aggregators.setFault('dflow', fault);
};
const each = ({ links }: FaultWorld) => links.aggregators;

export const AGGREGATOR_CELLS: readonly FaultCell[] = [
  {
    name: 'aggregators: killed and restarted',
    strike: (world) => set(world, { kind: 'down' }),
    heal: (world) => set(world, null),
    seen: NO_SWAPS,
  },
  {
    name: 'aggregators: paused',
    strike: (world) => each(world).forEach((link) => void link.pause()),
    heal: (world) => each(world).forEach((link) => void link.heal()),
    seen: NO_SWAPS,
  },
  {
    name: 'aggregators: slowed',
    strike: (world) => each(world).forEach((link) => void link.slow({ latencyMs: 100, bytesPerSecond: 100_000 })),
    heal: (world) => each(world).forEach((link) => void link.heal()),
    seen: { reads: 'go on', deposits: 'go on', loops: 'go on' },
  },
  {
    name: 'aggregators: network cut',
    provenBy: 'aggregators: killed and restarted',
    strike: (world) => each(world).forEach((link) => void link.cut()),
    heal: (world) => each(world).forEach((link) => void link.heal()),
    seen: NO_SWAPS,
  },
  {
    name: 'aggregators: nonsense',
    provenBy: 'packages/transactions/src/swaps/aggregators/garbage.property.test.ts',
    strike: (world) => set(world, { kind: 'garbage' }),
    heal: (world) => set(world, null),
    seen: NO_SWAPS,
  },
  {
    name: 'aggregators: over a quota',
    provenBy: 'packages/transactions/src/swaps/aggregators/wire.test.ts',
    strike: (world) => set(world, { kind: 'rate_limited', resetInSeconds: 1 }),
    heal: (world) => set(world, null),
    seen: NO_SWAPS,
  },
];
