import type { Cluster } from '#node/identify-node.ts';
import type { Node } from '#node/node.ts';
import type { RefusingNode } from '#node/start-refusing-node.ts';
import type { Service } from '#service/service.ts';
import type { Settings } from '../config.ts';
import type { Arguments } from '../read-arguments.ts';
import type { Findings } from './findings.ts';

/** What checks ask, and what they found for those after them. */
export interface World {
  readonly arguments: Arguments;
  readonly settings: Settings;
  readonly cluster: Cluster;
  readonly node: Node;
  /** Null where the service is somebody else's. */
  readonly refusing: RefusingNode | null;
  readonly service: Service;
  /** Of a caller of conversations; null where there is none. */
  readonly token: string | null;
  /** What the service logged as errors; null where nobody hears. */
  readonly errors: (() => readonly string[]) | null;
  readonly findings: Findings;
}

/** What one check says. */
export interface Told {
  /** Each a sentence; none: all was well. */
  readonly faults: readonly string[];
  /** What it saw, for whoever reads the report. */
  readonly figures?: Readonly<Record<string, unknown>>;
}

/** Why a check could not be made, which is nobody's fault. */
export interface Skipped {
  readonly skipped: string;
}

/** One thing that has to be so. Throwing is a fault, too. */
export interface Check {
  readonly name: string;
  run(world: World): Promise<Told | Skipped>;
}
