import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';

const FUZZER = join(ROOT, '.cache', 'fuzzer', 'bin', 'st');

/** Enough to meet every operation, and the work of seconds. */
const SAMPLE = ['--phases', 'examples,fuzzing', '--max-examples', '6'];

/** What to read behind the name of a suite that is skipped for want of the fuzzer. */
export const FUZZER_NEEDS = 'needs Schemathesis: bash infra/fuzzer/require.sh';

/** Whether the fuzzer was brought. */
export function hasFuzzer(): boolean {
  return existsSync(FUZZER);
}

/** What a run found, as far as it is judged here. */
export interface FuzzReport {
  readonly seed: number;
  readonly operations: { readonly total: number; readonly tested: number; readonly errored: number };
  readonly test_cases: { readonly generated: number; readonly unique_failures: number; readonly errored: number };
  readonly failures: readonly { readonly title: string; readonly operations: readonly string[] }[];
  readonly errors: readonly unknown[];
  /** What it printed: every failure with the request that shows it again. */
  readonly printed: string;
}

export interface FuzzOptions {
  /** Where the description is: an OpenAPI document, or `/graphql`. */
  readonly url: string;
  /** Values that lead further than made-up ones, by the word that `parameters` binds them with. */
  readonly dictionaries: Readonly<Record<string, readonly string[]>>;
  /** Place and name of a parameter, such as `path.bank`, to the dictionary that it often takes a value of. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly checks: readonly string[];
  /** For so long; unset: a sample, however long that takes. */
  readonly seconds?: number | undefined;
  /** To have the same cases again. */
  readonly seed?: string | undefined;
}

/** Asks what a description allows and what it does not, for so long, and says what answers were not as described. */
export async function runFuzzer(options: FuzzOptions): Promise<FuzzReport> {
  const folder = await mkdtemp(join(tmpdir(), 'fuzzer-'));
  try {
    const config = join(folder, 'schemathesis.toml');
    const report = join(folder, 'report.json');
    await writeFile(config, configOf(options));
    const printed = await new Promise<string>((resolve) => {
      const args = [
        ...['--config-file', config, 'run', options.url, '--no-color'],
        ...['--workers', '2', '--continue-on-failure'],
        ...(options.seconds === undefined ? SAMPLE : ['--max-time', String(options.seconds)]),
        ...['--checks', options.checks.join(','), '--request-timeout', '60'],
        ...['--report', 'json', '--report-json-path', report, '--generation-database', 'none'],
        ...(options.seed === undefined ? [] : ['--seed', options.seed]),
      ];
      // Whatever it ends with is in the report; a run that wrote none fails below.
      execFile(FUZZER, args, { cwd: folder, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
        resolve(`${stdout}${stderr}` || `${error?.message ?? 'it printed nothing'} (the fuzzer ${FUZZER_NEEDS})`),
      );
    });
    const text = await readFile(report, 'utf8').catch(() => {
      throw new Error(`the fuzzer did not run: ${printed.slice(-2_000)}`);
    });
    return { ...(JSON.parse(text) as Omit<FuzzReport, 'printed'>), printed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** In TOML; its strings are written as JSON's. */
function configOf({ dictionaries, parameters, headers = {} }: FuzzOptions): string {
  const lines = (entries: readonly (readonly [string, string])[]) =>
    entries.map(([name, value]) => `${JSON.stringify(name)} = ${value}`).join('\n');
  const quoted = Object.entries(headers).map(([name, value]) => [name, JSON.stringify(value)] as const);
  const known = Object.entries(dictionaries).map(
    ([name, values]) => [name, `{ values = ${JSON.stringify(values)} }`] as const,
  );
  const bound = Object.entries(parameters).map(
    ([name, dictionary]) => [name, `{ dictionary = ${JSON.stringify(dictionary)} }`] as const,
  );
  return `max-stream-events = 2

[headers]
${lines(quoted)}

[dictionaries]
${lines(known)}

[parameters]
${lines(bound)}
`;
}
