import type { BuildTables } from '#builds/build-deps.ts';
import type { BuildEnvelope } from '#builds/build-service.ts';
import type { SimulateDeps } from '#builds/simulate-again.ts';
import type { VerifyDeps } from '#builds/verify-landing.ts';
import type { ReadDeps } from '#reads/read-deps.ts';

/** What the tools that build are handed. */
export interface BuilderDeps {
  readonly buildEnvelope: BuildEnvelope;
  readonly tables: BuildTables;
  readonly source: 'chain' | 'localnet';
  /** Which run of first contact stands for the program as it runs; null where none does. */
  readonly verifiedOnChain: ReadDeps['verifiedOnChain'];
  /** For what is asked of envelopes afterwards. */
  readonly landing: SimulateDeps & VerifyDeps;
}
