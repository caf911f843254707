import { execFileSync } from 'node:child_process';
import { readTestCounts } from './test-report.ts';

/**
 * Prints the counts of a run of all tests as one line. Fails where a test failed, was skipped although nothing that it needs is missing, or
 * did not run, and where the runner failed without saying which test did: its exit code is the argument.
 */
const runnerCode = process.argv[2];
const { passed, failed, skipped, unexplained, brokenFiles, files } = readTestCounts();
const notRun = execFileSync('git', ['ls-files', '*.test.ts'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => !files.includes(file));
const problems = [
  ...brokenFiles.map((file) => `failed outside of its tests: ${file}`),
  ...unexplained.map((name) => `skipped, although what it needs is here: ${name}`),
  ...(files.length === 0 ? ['the test runner left no report'] : notRun.map((file) => `did not run: ${file}`)),
  ...(runnerCode !== '0' && failed === 0 ? [`the test runner ended with ${runnerCode}, and no test failed`] : []),
];
for (const problem of problems) console.error(problem);
// Broken files are among the failures that were counted.
const all = failed + problems.length - brokenFiles.length;
console.log(`${passed} passed, ${all} failed, ${skipped.length} skipped`);
if (all > 0) process.exitCode = 1;
