import { readFileSync } from 'node:fs';
import type { Engine } from '@lending/localnet';
import { createLiteSvmEngine } from '@lending/localnet';
import { MARGINFI_PROGRAM } from '@lending/programs';

/** A marginfi program to compare with. */
export interface RealProgram {
  readonly engine: Engine;
  /** Its code. */
  readonly elf: Uint8Array;
  /** Before 0.1.3: it needs the bridges, and the market is set up with its own admin instructions. */
  readonly isOld: boolean;
  /** Whether it has an instruction, by the name its log gives it. */
  readonly has: (instruction: string) => boolean;
}

/** A stand-in where no program was given: its tests are skipped by name, and asking it anything is a defect. */
const NO_PROGRAM: RealProgram = {
  engine: {
    execute: () => {
      throw new TypeError('There is no program: MARGINFI_ELF is not set');
    },
  },
  elf: new Uint8Array(),
  isOld: true,
  has: () => false,
};

/** The program that `MARGINFI_ELF` names. */
export async function loadFromEnvironment(): Promise<{ readonly program: RealProgram; readonly isMissing: boolean }> {
  const { MARGINFI_ELF: path } = process.env;
  if (path === undefined || path === '') return { program: NO_PROGRAM, isMissing: true };
  return { program: await loadRealProgram(path), isMissing: false };
}

/** @param path from `solana program dump`, or the 0.1.1 that is public. */
async function loadRealProgram(path: string): Promise<RealProgram> {
  const elf = new Uint8Array(readFileSync(path));
  const text = Buffer.from(elf).toString('latin1');
  const has = (instruction: string) => text.includes(`Instruction: ${instruction}`);
  const engine = await createLiteSvmEngine({ programs: [{ programId: MARGINFI_PROGRAM, path, elf }] });
  return { engine, elf, isOld: !has('LendingAccountPulseHealth'), has };
}
