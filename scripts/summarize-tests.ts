import { readFileSync } from 'node:fs';

/**
 * Prints the runner's own counts as one line, and fails on any skip that a missing recording or program file does not explain.
 * Reads the JSON report named on the command line.
 */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const EXPLAINED = /FIXTURES_DIR|_ELF/;

const report = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Report;
const tests = report.testResults.flatMap((file) => file.assertionResults);
const skipped = tests.filter((test) => test.status !== 'passed' && test.status !== 'failed');
const unexplained = skipped.filter((test) => !EXPLAINED.test(test.fullName));
// A file that fails outside of its tests counts as one failure: before the first one, after the last, or because its process ended.
const brokenFiles = report.testResults.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
);
const failed = report.numFailedTests + brokenFiles.length;

for (const file of brokenFiles) console.error(`failed outside of its tests: ${file.name}`);
for (const test of unexplained) console.error(`skipped without a missing recording or program file: ${test.fullName}`);
console.log(`${report.numPassedTests} passed, ${failed} failed, ${skipped.length} skipped`);
if (failed > 0 || unexplained.length > 0 || report.numPassedTests === 0) process.exitCode = 1;
