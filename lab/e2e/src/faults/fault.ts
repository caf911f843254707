import type { Link } from '@lending/testing';
import type { Service } from '../cluster/cluster.ts';
import type { FaultWorld } from './fault-world.ts';

/** What goes wrong, and what has to be seen of it: a cell of the matrix. */
export interface Fault {
  readonly name: string;
  /** What it cannot be tried without. */
  readonly needs?: 'a disk of its own';
  /** What proves the same in every run of the tests: another fault, or a test file. This one is left to `npm run prove`. */
  readonly provenBy?: string;
  strike(world: FaultWorld): Promise<void> | void;
  heal(world: FaultWorld): Promise<void> | void;
  /** How long it lasts at least, ms; it lasts until what has to be seen of it was seen. */
  readonly lastsMs?: number;
  readonly seen: Seen;
}

export interface Seen {
  /** What `/readyz` names, `part: reason`, in the services where anything is to be named. */
  readonly parts?: Readonly<Partial<Record<Service, RegExp>>>;
  /** The line that says that it began, and the one that says that it is over. */
  readonly lines?: readonly { readonly service: Service; readonly begins: RegExp; readonly ends: RegExp }[];
  /** `go on`: they are answered; `aging`: one says at last that what it answers is stale; default: either. */
  readonly reads?: 'go on' | 'aging';
  /** Whether builds go on, or are refused at least once; default: either. */
  readonly deposits?: 'go on' | 'refused';
  readonly loops?: 'go on' | 'refused';
  /** Codes that a build may be refused with, besides `UPSTREAM_UNAVAILABLE`. */
  readonly refusals?: readonly string[];
}

/** The ways in which the network goes bad before what services depend on. */
export function networkOf(dependency: string, linksOf: (links: FaultWorld['links']) => readonly Link[]) {
  const fault = (how: string, strike: (link: Link) => void, seen: Seen, provenBy?: string): Fault => ({
    name: `${dependency}: ${how}`,
    ...(provenBy !== undefined && { provenBy }),
    strike: ({ links }) => linksOf(links).forEach(strike),
    heal: ({ links }) => linksOf(links).forEach((link) => void link.heal()),
    seen,
  });
  return {
    cut: (seen: Seen, provenBy?: string) => fault('network cut', (link) => link.cut(), seen, provenBy),
    paused: (seen: Seen, provenBy?: string) => fault('paused', (link) => link.pause(), seen, provenBy),
    halfOpen: (seen: Seen, provenBy?: string) =>
      fault('answers are lost (half-open)', (link) => link.pause('answers'), seen, provenBy),
    slowed: (latencyMs: number, bytesPerSecond: number, seen: Seen) =>
      fault('slowed', (link) => link.slow({ latencyMs, bytesPerSecond }), seen),
  };
}
