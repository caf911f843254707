import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describeError, LendingError } from '@lending/errors';
import {
  DRIFT_PROGRAM,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  JUPLEND_REWARDS_PROGRAM,
  KAMINO_FARMS_PROGRAM,
  KLEND_PROGRAM,
  MARGINFI_PROGRAM,
  SOLEND_PROGRAM,
} from '@lending/programs';
import { type Address, isAddress } from '@solana/kit';

/** A program's code, as `solana program dump` writes it. */
export interface ProgramFile {
  readonly programId: Address;
  readonly path: string;
  readonly elf: Uint8Array;
}

/** Names that stand for an address, for files that people name by the program rather than by its id. */
const KNOWN_NAMES: Readonly<Record<string, Address>> = {
  marginfi: MARGINFI_PROGRAM,
  klend: KLEND_PROGRAM,
  kamino_farms: KAMINO_FARMS_PROGRAM,
  solend: SOLEND_PROGRAM,
  drift: DRIFT_PROGRAM,
  juplend_lending: JUPLEND_LENDING_PROGRAM,
  juplend_liquidity: JUPLEND_LIQUIDITY_PROGRAM,
  juplend_rewards: JUPLEND_REWARDS_PROGRAM,
};

/**
 * Reads every `*.so` of a folder. A file is called `<program id>.so`, or after a program whose id is known, as `marginfi.so`.
 * @throws LOCALNET__PROGRAM_INVALID when the folder cannot be read, or a file's name names no program or one that has a file already.
 */
export function readElfFolder(folder: string): readonly ProgramFile[] {
  const files = list(folder).map((name): ProgramFile => {
    const path = join(folder, name);
    return { programId: programIdOf(path), path, elf: read(path) };
  });
  const byId = new Map<Address, string>();
  for (const { programId, path } of files) {
    const other = byId.get(programId);
    if (other !== undefined) throw invalid(`${path} and ${other} are the same program, ${programId}`);
    byId.set(programId, path);
  }
  return files;
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.so'))
      .toSorted();
  } catch (cause) {
    throw invalid(`${folder}: ${describeError(cause)}`, cause);
  }
}

function read(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (cause) {
    throw invalid(`${path}: ${describeError(cause)}`, cause);
  }
}

function programIdOf(path: string): Address {
  const name = basename(path, '.so');
  const programId = KNOWN_NAMES[name] ?? name;
  if (isAddress(programId)) return programId;
  const names = Object.keys(KNOWN_NAMES).join(', ');
  throw invalid(`${path} is called neither after a program's address nor one of ${names}`);
}

function invalid(message: string, cause?: unknown): LendingError {
  return new LendingError('LOCALNET__PROGRAM_INVALID', { message, ...(cause === undefined ? {} : { cause }) });
}
