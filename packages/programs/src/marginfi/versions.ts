/**
 * How a release of the program is recognised on the chain.
 * @see marginfi-v2 guides/ADMIN/DEPLOY_GUIDE.md, patch notes of 0.1.11 and 0.1.12
 */
interface Release {
  readonly version: string;
  /** Slot at which it was deployed to mainnet; null where that is not known. With it nothing else is asked. */
  readonly deploySlot: bigint | null;
  /** Bytes that the accounts which grew have to have. Shorter ones of earlier releases are read, too: missing bytes are zeros. */
  readonly sizes: { readonly feeState: number; readonly group: number; readonly bank: number };
  /** An instruction that no earlier release has; null where nobody asks because nothing is built for the release. */
  readonly firstInstruction: string | null;
}

const SHORT = { feeState: 264, group: 1_064, bank: 1_864 } as const;
const LONG_GROUP = { feeState: 520, group: 9_256, bank: 1_864 } as const;

/** Releases, oldest first; their order is the order of versions. Programs older than the first are taken for the first. */
export const RELEASES = [
  { version: '0.1.7', deploySlot: null, sizes: SHORT, firstInstruction: null },
  { version: '0.1.8', deploySlot: null, sizes: SHORT, firstInstruction: null },
  { version: '0.1.9', deploySlot: 432_875_565n, sizes: SHORT, firstInstruction: null },
  {
    version: '0.1.10',
    deploySlot: null,
    sizes: LONG_GROUP,
    firstInstruction: 'lending_pool_clear_circuit_breaker',
  },
  {
    version: '0.1.11',
    deploySlot: 444_313_123n,
    sizes: LONG_GROUP,
    firstInstruction: 'lending_pool_configure_bank_oracle_scope',
  },
  {
    version: '0.1.12',
    deploySlot: null,
    sizes: { feeState: 520, group: 9_256, bank: 3_912 },
    firstInstruction: 'marginfi_account_tag_liq_record',
  },
] as const satisfies readonly Release[];

export type ProgramVersion = (typeof RELEASES)[number]['version'];
export const PROGRAM_VERSIONS: readonly ProgramVersion[] = RELEASES.map(({ version }) => version);

/** The newest release known here. */
export const NEWEST_VERSION = '0.1.12' satisfies ProgramVersion;

/** Versions for which transactions are built. */
export const BUILT_VERSIONS: readonly ProgramVersion[] = PROGRAM_VERSIONS.slice(PROGRAM_VERSIONS.indexOf('0.1.10'));

/** Whether a version is `since` or came after it: versions are compared by their order, never by their names. */
export function isSince(version: ProgramVersion, since: ProgramVersion): boolean {
  return PROGRAM_VERSIONS.indexOf(version) >= PROGRAM_VERSIONS.indexOf(since);
}

export function releaseOf(version: ProgramVersion): (typeof RELEASES)[number] {
  const release = RELEASES.find((each) => each.version === version);
  if (release === undefined) throw new TypeError(`No release ${version}`);
  return release;
}
