import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

const require = createRequire(import.meta.url);

/** The release that is not a preview, and the one that knows 2026-07-28. */
const PROGRAMS = {
  stable: require.resolve('@modelcontextprotocol/conformance-2025/dist/index.js'),
  newest: require.resolve('@modelcontextprotocol/conformance/dist/index.js'),
} as const;

type Release = keyof typeof PROGRAMS;

interface SuiteRun {
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

interface SuiteOutcome {
  /** 0: what was expected to fail failed, and nothing else. */
  readonly exitCode: number;
  readonly output: string;
  readonly results: RunResults;
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

/** How many checks of a scenario ended how. */
interface ScenarioResult {
  readonly passed: number;
  readonly failed: number;
  /** What the specification only advises. */
  readonly warned: number;
  readonly skipped: number;
}

/** What a run of the suite found, scenario by scenario. */
export type RunResults = ReadonlyMap<string, ScenarioResult>;

/** A folder of the suite's results: `server-<scenario>-<time>`. */
const FOLDER = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/;

/** Reads what a run of the suite left in a folder, by scenario. */
function readResults(folder: string): RunResults {
  const entries = readdirSync(folder).flatMap((name): readonly [string, ScenarioResult][] => {
    const scenario = FOLDER.exec(name)?.[1];
    return scenario === undefined ? [] : [[scenario, readChecks(join(folder, name, 'checks.json'))]];
  });
  return new Map(entries);
}

function readChecks(file: string): ScenarioResult {
  const checks = JSON.parse(readFileSync(file, 'utf8')) as readonly { readonly status: string }[];
  const count = (status: string) => checks.filter((check) => check.status === status).length;
  return {
    passed: count('SUCCESS'),
    failed: count('FAILURE'),
    warned: count('WARNING'),
    skipped: count('SKIPPED'),
  };
}
