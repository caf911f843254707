import type { BuildTables } from '#builds/build-deps.ts';
import type { BuildEnvelope } from '#builds/build-service.ts';

/** What the tools that build are handed. */
export interface BuilderDeps {
  readonly buildEnvelope: BuildEnvelope;
  readonly tables: BuildTables;
  readonly source: 'chain' | 'localnet';
}
