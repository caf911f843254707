import type { Service } from '../services.ts';
import type { FaultWorld } from './fault-world.ts';

/** One cell of the matrix: what goes wrong, and what has to be seen of it. */
export interface FaultCell {
  readonly name: string;
  /** What it cannot be tried without. */
  readonly needs?: 'a disk of its own';
  /** What proves the same in every run of the tests: another cell, or a test file. This one is left to `npm run prove`. */
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
