import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Where the real accounts and IDLs lie: `FIXTURES_DIR`, or beside the repository. */
export function fixturesFolder(): string {
  return resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures');
}

/** What a shell needs to run a command, and nothing that is a setting of ours. */
export function shellEnvironment(): Readonly<Record<'PATH' | 'HOME', string>> {
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
}

/** Makes Node profile the process that gets it, where `BENCH_PROFILE` names a folder for profiles. */
export function profilingEnvironment(): Readonly<Record<string, string>> {
  const folder = process.env.BENCH_PROFILE;
  return folder === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` };
}

/** This process's environment with these over it. */
export function withEnvironment(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...env };
}

/** The number after a name on the command line: `--seconds 60`. */
export function argumentOf(name: string, otherwise: number): number {
  const index = process.argv.indexOf(name);
  return index < 0 ? otherwise : Number(process.argv[index + 1]);
}
