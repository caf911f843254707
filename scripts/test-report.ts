import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** Where the runner writes its report; a run that ends before it does leaves none. */
export const REPORT = join(ROOT, '.cache/test-results.json');

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const NO_REPORT: Report = { numPassedTests: 0, numFailedTests: 0, testResults: [] };

function hasEngine(): boolean {
  return spawnSync('docker', ['version'], { stdio: 'ignore' }).status === 0;
}

/** What the runner counted. */
export interface TestCounts {
  readonly passed: number;
  /** Tests, and files that failed outside of their tests. */
  readonly failed: number;
  /** Names of tests. */
  readonly skipped: readonly string[];
  /** Those of them that were skipped although everything that they need is here. */
  readonly unexplained: readonly string[];
  /** Files that failed outside of their tests: before the first one, after the last, or because their process ended. */
  readonly brokenFiles: readonly string[];
  /** Files that ran, from the repository's root. */
  readonly files: readonly string[];
}

/** What the name of a skipped test says it needs, and whether that is missing. */
const NEEDS: readonly (readonly [name: RegExp, isMissing: boolean])[] = [
  // A run on the usual fixtures has none of a first contact, and one on a record has no others.
  [/FIXTURES_DIR of a record/, !process.env.FIXTURES_DIR],
  [/FIXTURES_DIR/, !existsSync(join(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures'))],
  [/needs MARGINFI_ELF/, !process.env.MARGINFI_ELF],
  [/needs VENUE_ELF_FOLDER/, !process.env.VENUE_ELF_FOLDER],
  [/needs NATIVE_PROGRAM/, !process.env.NATIVE_PROGRAM],
  [/needs a container engine/, !hasEngine()],
];

/** Reads the report of the last run; all counts are zero where there is none. */
export function readTestCounts(): TestCounts {
  const report = existsSync(REPORT) ? (JSON.parse(readFileSync(REPORT, 'utf8')) as Report) : NO_REPORT;
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const skipped = tests
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => fullName);
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped,
    unexplained: skipped.filter((name) => !NEEDS.some(([need, isMissing]) => isMissing && need.test(name))),
    brokenFiles: brokenFiles.map(({ name }) => relative(ROOT, name)),
    files: report.testResults.map(({ name }) => relative(ROOT, name)),
  };
}
