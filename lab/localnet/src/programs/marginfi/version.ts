import { isSince, NEWEST_VERSION, PROGRAM_VERSIONS, type ProgramVersion, releaseOf } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';

type SizedAccount = 'feeState' | 'group' | 'bank';

/** What is deployed as the program, in place of its code: the name of a version. */
export function codeOfVersion(version: string): Uint8Array {
  return new TextEncoder().encode(version);
}

/** The version that is deployed; of anything else, and where nothing is deployed, the newest. */
export function versionOf(context: Pick<InvokeContext, 'deployed'>): ProgramVersion {
  return deployedVersion(context) ?? NEWEST_VERSION;
}

/** Whether the running program is of a version, or of one that came after it. */
export function runsSince(context: InvokeContext, version: ProgramVersion): boolean {
  return isSince(versionOf(context), version);
}

/** How long the running program takes an account of a kind to be at least; where it is of no known version, as long as it is. */
export function sizeOf(kind: SizedAccount) {
  return (context: InvokeContext): number => {
    const version = deployedVersion(context);
    return version === undefined ? 0 : releaseOf(version).sizes[kind];
  };
}

function deployedVersion({ deployed }: Pick<InvokeContext, 'deployed'>): ProgramVersion | undefined {
  // Code is longer than any name.
  if (deployed === null || deployed.length > 20) return undefined;
  const name = new TextDecoder().decode(deployed);
  return PROGRAM_VERSIONS.find((version) => version === name);
}
