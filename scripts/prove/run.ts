import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { REPORT, readTestCounts } from '../test-report.ts';

/**
 * `npm run prove`: what CI proves by a sample is proven by its full count, and the mutants are counted.
 * `npm run prove -- NAME …` runs some proofs and `--list` lists them. `--seed N` sets the seed of those that take one.
 * `native` and `native-0.1.12` take the folder of the lending program's sources after their name (native/run.ts).
 * A second run at the same commit and seed skips what is proven; `--fresh` starts again, and so does a run with changes that are not
 * committed. `mutants --write` makes its counts the baseline.
 */
interface Proof {
  readonly name: string;
  readonly files: readonly string[];
  /** The full counts. The sample that CI takes is the default in the files. */
  readonly settings: Readonly<Record<string, string>>;
  /** Variables without which its suites are skipped. */
  readonly needs?: readonly string[];
  /** The variable that takes the seed, where it is not fixed. */
  readonly seed?: string;
  /** Makes what the files need out of a folder of sources, and runs them. */
  readonly script?: string;
}

const ROOT = join(import.meta.dirname, '../..');
const WORK = join(ROOT, '.cache/prove');

const PROOFS: readonly Proof[] = [
  {
    name: 'builders',
    files: ['lab/e2e/scenarios/builders-random'],
    settings: { BUILDERS_COUNT: '2000' },
    seed: 'BUILDERS_SEED',
  },
  {
    name: 'positions',
    files: ['lab/e2e/scenarios/positions'],
    settings: { POSITIONS_COUNT: '1000' },
    seed: 'RANDOM_SEED',
  },
  {
    name: 'leverage',
    files: ['lab/e2e/scenarios/leverage-random'],
    settings: { LEVERAGE_COUNT: '1000' },
    seed: 'LEVERAGE_SEED',
  },
  {
    name: 'hostile',
    files: ['lab/e2e/scenarios/hostile-requests'],
    settings: { HOSTILE_COUNT: '10000' },
    seed: 'HOSTILE_SEED',
  },
  { name: 'fuzzer', files: ['lab/e2e/scenarios/openapi'], settings: { FUZZ_SECONDS: '600' }, seed: 'FUZZ_SEED' },
  {
    name: 'sdk',
    files: ['lab/parity/src/sdk'],
    settings: { RANDOM_RUNS: '64' },
    seed: 'RANDOM_SEED',
  },
  {
    name: 'token-programs',
    files: ['lab/localnet/src/programs/programs.litesvm'],
    settings: { RANDOM_RUNS: '1000' },
    seed: 'RANDOM_SEED',
  },
  {
    name: 'programs',
    files: ['lab/e2e/src/real-program', 'lab/e2e/src/venue-programs'],
    needs: ['MARGINFI_ELF', 'VENUE_ELF_FOLDER'],
    settings: { RANDOM_RUNS: '1000', LANDING_COUNT: '1000' },
    seed: 'RANDOM_SEED',
  },
  {
    name: 'chaos',
    files: ['lab/e2e/scenarios/chaos'],
    settings: { CHAOS_TRANSACTIONS_PER_SECOND: '40', CHAOS_STRIKES: 'all' },
    seed: 'CHAOS_SEED',
  },
  {
    name: 'landing',
    files: ['lab/e2e/scenarios/landing-later'],
    settings: { LANDING_COUNT: '1000' },
    seed: 'LANDING_SEED',
  },
  { name: 'faults', files: ['lab/e2e/scenarios/fault-matrix'], settings: { FAULT_CELLS: 'all' } },
  {
    name: 'watcher',
    files: [
      'services/indexer/src/watch/accounts/account-watcher-random',
      'services/indexer/src/watch/activity/activity-indexing',
    ],
    settings: { FUZZ_RUNS: '500', ACTIVITY_RUNS: '100' },
  },
  ...['0.1.10', '0.1.12'].map((version) => ({
    name: version === '0.1.10' ? 'native' : `native-${version}`,
    files: ['lab/localnet/src/programs/native'],
    settings: { NATIVE_COUNT: '50000', NATIVE_FIRST: '0', NATIVE_VERSION: version },
    seed: 'NATIVE_SEED',
    script: 'native/run.ts',
  })),
];

const args = process.argv.slice(2);
const seedAt = args.indexOf('--seed');
const seed = seedAt < 0 ? undefined : args[seedAt + 1];
const words = args.filter((arg, place) => !arg.startsWith('--') && (seedAt < 0 || place !== seedAt + 1));
const names = [...PROOFS.map(({ name }) => name), 'mutants'];
// `native DIR`: what comes after it is a folder, unless it is the next proof.
const sourceDir = words.find((word, place) => words[place - 1]?.startsWith('native') && !names.includes(word));
const wanted = words.filter((word) => word !== sourceDir);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0 || (seedAt >= 0 && !/^\d+$/.test(seed ?? ''))) {
  console.error(
    unknown.length > 0
      ? `No proof is named ${unknown.join(', ')}; there are ${names.join(', ')}`
      : `--seed takes a whole number, and was given ${seed ?? 'nothing'}`,
  );
  process.exit(2);
}
if (args.includes('--list')) {
  for (const { name, files, settings } of PROOFS)
    console.log(`${name}: ${files.join(' ')} with ${Object.entries(settings).flat().join(' ')}`);
  console.log('mutants: 60 changes in each of five packages, each against the tests nearest to it');
  process.exit();
}

const commit = git('rev-parse', '--short=12', 'HEAD');
const log = join(WORK, `proven-${commit}-${seed ?? 'usual'}.txt`);
mkdirSync(WORK, { recursive: true });
if (args.includes('--fresh')) rmSync(log, { force: true });
const isCommitted = git('status', '--porcelain') === '';
const proven = new Set(isCommitted && existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []);
const isWriting = args.includes('--write');

const failed: string[] = [];
const notRun: string[] = [];
const chosen = names.filter((name) => wanted.length === 0 || wanted.includes(name));
for (const [place, name] of chosen.entries()) {
  const where = `${place + 1}/${chosen.length} ${name}`;
  if (proven.has(name) && !isWriting) {
    console.log(`${where}: proven before at ${commit}`);
    continue;
  }
  const { needs = [], script } = PROOFS.find((each) => each.name === name) ?? {};
  const missing = needs.filter((one) => !process.env[one]);
  if (script !== undefined && sourceDir === undefined) missing.push('a folder of sources after its name');
  if (missing.length > 0) {
    notRun.push(`${name}, which needs ${missing.join(' and ')}`);
    console.log(`${where}: not run, it needs ${missing.join(' and ')}`);
    if (wanted.includes(name)) process.exitCode = 1;
    continue;
  }
  console.log(`${where} …`);
  const started = Date.now();
  const passed = await prove(name);
  console.log(
    `${where}: ${passed ? 'proven' : 'FAILED'} after ${((Date.now() - started) / 60_000).toFixed(1)} minutes`,
  );
  // The tree may have changed during the run.
  const isSame =
    isCommitted && git('rev-parse', '--short=12', 'HEAD') === commit && git('status', '--porcelain') === '';
  if (passed && isSame) appendFileSync(log, `${name}\n`);
  if (!passed) failed.push(name);
}
if (notRun.length > 0) console.error(`Not run: ${notRun.join('; ')}`);
if (failed.length > 0) {
  console.error(`Not proven: ${failed.join(', ')}. To see one again: npm run prove -- ${failed[0]}`);
  process.exitCode = 1;
}

async function prove(name: string): Promise<boolean> {
  const proof = PROOFS.find((each) => each.name === name);
  const fresh = args.includes('--fresh') ? ['--fresh'] : [];
  const command =
    proof === undefined
      ? [join(import.meta.dirname, 'mutants/run.ts'), ...fresh, ...(isWriting ? ['--write'] : [])]
      : proof.script === undefined
        ? [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...proof.files]
        : [join(import.meta.dirname, proof.script), sourceDir ?? ''];
  const random = seed === undefined || proof?.seed === undefined ? {} : { [proof.seed]: seed };
  // As in CI, what a suite needs and is not there is a failure and no skip.
  const env = { ...process.env, CI: 'true', TEST_FILE_LIMIT_MINUTES: '600', ...proof?.settings, ...random };
  rmSync(REPORT, { force: true });
  const child = spawn(process.execPath, command, { cwd: ROOT, env, stdio: 'inherit' });
  const stop = (signal: NodeJS.Signals): void => {
    child.kill(signal);
    child.once('exit', () => process.exit(1));
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, stop);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  for (const signal of signals) process.off(signal, stop);
  if (code !== 0 || proof === undefined) return code === 0;
  // Tests that are skipped pass, and prove nothing.
  const { passed, skipped } = readTestCounts();
  for (const test of skipped) console.error(`skipped: ${test}`);
  return passed > 0 && skipped.length === 0;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
