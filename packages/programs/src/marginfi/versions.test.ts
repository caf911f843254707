import { describe, expect, it } from 'vitest';
import { anchorDiscriminator } from '#layout/anchor-discriminator.ts';
import { instruction } from '#layout/instruction.ts';
import { marginfiInstructionName } from './instruction-names.ts';
import { BUILT_VERSIONS, NEWEST_VERSION, PROGRAM_VERSIONS, RELEASES, releaseOf } from './versions.ts';

describe('RELEASES', () => {
  it('end with the newest, and their known slots ascend', () => {
    expect(NEWEST_VERSION).toBe(PROGRAM_VERSIONS.at(-1));
    const slots = RELEASES.flatMap(({ deploySlot }) => deploySlot ?? []);
    expect(slots).toEqual(slots.toSorted((one, other) => (one < other ? -1 : 1)));
  });

  it('have, from the oldest that is built for, an instruction of their own that is known by name', () => {
    // Without one a chain that runs a release would be taken for the release before it.
    const names = BUILT_VERSIONS.map((version) => releaseOf(version).firstInstruction ?? '');
    expect(names.map((name) => marginfiInstructionName(anchorDiscriminator('global', name)))).toEqual(names);
    expect(new Set(names).size).toBe(names.length);
  });

  it('are what a list of accounts may name, and nothing else is', () => {
    expect(() => instruction('any', 'group since 0.1.31', {})).toThrow('No release 0.1.31');
    expect(instruction('any', 'group since 0.1.10', {}).accounts[0]?.since).toBe('0.1.10');
  });
});
