/** Releases of the program that are told apart, oldest first. What is older than the first behaves as it. */
export const PROGRAM_VERSIONS = ['0.1.7', '0.1.8', '0.1.9', '0.1.10', '0.1.11', '0.1.12'] as const;
export type ProgramVersion = (typeof PROGRAM_VERSIONS)[number];

/** The newest release known here. */
export const NEWEST_VERSION = '0.1.12' satisfies ProgramVersion;

/** Whether a version is `since` or came after it: versions are compared by their order, never by their names. */
export function isSince(version: ProgramVersion, since: ProgramVersion): boolean {
  return PROGRAM_VERSIONS.indexOf(version) >= PROGRAM_VERSIONS.indexOf(since);
}
