import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marginfiInstructionName } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { readIdl } from './idl.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures', 'idl');
const isPresent = existsSync(FOLDER);
const idls = isPresent ? readdirSync(FOLDER).filter((file) => /^marginfi@/.test(file)) : [];

describe.skipIf(!isPresent)('marginfiInstructionName against the published IDLs (FIXTURES_DIR)', () => {
  it.each(idls)('names every instruction of %s', (file) => {
    const { instructions = [] } = readIdl(resolve(FOLDER, file));
    const named = instructions.map((instruction) =>
      'discriminator' in instruction ? marginfiInstructionName(Uint8Array.from(instruction.discriminator)) : null,
    );
    expect(named).toEqual(instructions.map(({ name }) => name));
    expect(named.length).toBeGreaterThan(30);
  });

  it('has no name for what no version had', () => {
    expect(marginfiInstructionName(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))).toBeNull();
    expect(marginfiInstructionName(new Uint8Array())).toBeNull();
  });
});
