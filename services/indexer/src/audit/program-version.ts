import { type ProgramVersion, RELEASES } from '@lending/programs';

/**
 * The newest program that takes accounts of these lengths, which its rules are taken from. Null while banks are lengthened one by one.
 * 0.1.10 and 0.1.11 have the same lengths, and no rule between them concerns what is compared.
 */
export function programVersionOf(groupBytes: number, bankBytes: readonly number[]): ProgramVersion | null {
  const versions = new Set(
    bankBytes.map((bank) => RELEASES.findLast(({ sizes }) => sizes.group <= groupBytes && sizes.bank <= bank)?.version),
  );
  const [version = null] = versions;
  return versions.size === 1 ? version : null;
}
