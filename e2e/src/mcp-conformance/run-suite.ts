import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { readResults, type ScenarioResult } from './scenario-result.ts';

const require = createRequire(import.meta.url);

/** The release that is not a preview, and the one that knows 2026-07-28. */
const PROGRAMS = {
  stable: require.resolve('@modelcontextprotocol/conformance-2025/dist/index.js'),
  newest: require.resolve('@modelcontextprotocol/conformance/dist/index.js'),
} as const;

export type Release = keyof typeof PROGRAMS;

export interface SuiteRun {
  readonly release: Release;
  /** Which scenarios, in the words of the program. */
  readonly selection: readonly string[];
}

/** What the doors are asked: all that each revision requires, and all that the stable release has. */
export const RUNS = {
  'stable release': { release: 'stable', selection: ['--suite', 'all'] },
  '2025-11-25': { release: 'newest', selection: ['--requirements', '2025-11-25'] },
  '2026-07-28': { release: 'newest', selection: ['--requirements', '2026-07-28'] },
} as const satisfies Readonly<Record<string, SuiteRun>>;

export interface SuiteOutcome {
  /** 0: what was expected to fail failed, and nothing else. */
  readonly exitCode: number;
  readonly output: string;
  readonly results: ReadonlyMap<string, ScenarioResult>;
}

/** Runs the official suite's own program against a server. */
export async function runSuite(
  { release, selection }: SuiteRun,
  url: string,
  expectedFailures: readonly string[],
): Promise<SuiteOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
  try {
    const baseline = join(folder, 'expected.yaml');
    await writeFile(baseline, stringify({ server: expectedFailures }));
    const results = join(folder, 'results');
    const { exitCode, output } = await run(PROGRAMS[release], [
      ...['server', '--url', url, ...selection],
      ...['--expected-failures', baseline, '--output-dir', results],
    ]);
    return { exitCode, output, results: readResults(results) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Every scenario for servers that a release has. */
export async function listScenarios(release: Release): Promise<readonly string[]> {
  const { output } = await run(PROGRAMS[release], ['list', '--server']);
  return [...output.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name as string);
}

function run(program: string, given: readonly string[]): Promise<{ exitCode: number; output: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [program, ...given], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      done({ exitCode, output: `${stdout}${stderr}` });
    });
  });
}
