import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { startDatabaseBroker } from '@lending/store/testing/database-broker.ts';
import { findMutants, type Mutant } from './find-mutants.ts';
import { findReach } from './find-reach.ts';

/**
 * Counts how many small changes to the source the tests notice.
 *
 * A sample of mutants per package, chosen by what they change, is run one by one against the nearest tests of the changed file. The counts
 * are compared with those of `baseline.json`; fewer noticed in a package is a failure. `--write` makes the counts of this run the baseline.
 * A run that was stopped goes on where it was at the same commit; `--fresh` starts again, and so does one with changes that are not
 * committed.
 */
const ROOT = join(import.meta.dirname, '../../..');
const BASELINE = join(import.meta.dirname, 'baseline.json');
const WORK = join(ROOT, '.cache/prove');
const PACKAGES = ['packages/domain', 'packages/transactions', 'packages/venues', 'packages/store', 'services/indexer'];
const PER_PACKAGE = 60;
/** Tests that a mutant must survive. Those further away reach nearly everything, and say little about one file. */
const NEAREST = 6;
/** Only an endless loop reaches it, on a busy machine too. A test that never ends has noticed. */
const HANG_MS = 300_000;
/** These run the service in processes of their own, which see the source on the disk and not the mutant, or load the official SDKs. */
const LEFT_OUT = /^(bench|conformance|e2e|smoke)\//;
const NOT_SOURCE = /\.(test|test-d|bench|contract|d)\.ts$|\/(contracts?|testing)\//;

type Verdict = { readonly id: string; readonly noticed: boolean; readonly by: string };
type Count = Readonly<Record<string, { readonly mutants: number; readonly noticed: number }>>;

const fresh = process.argv.includes('--fresh');
const isWriting = process.argv.includes('--write');
const commit = git('rev-parse', 'HEAD').trim();
const log = join(WORK, `mutants-${commit.slice(0, 12)}.jsonl`);
const isCommitted = git('status', '--porcelain') === '';
mkdirSync(WORK, { recursive: true });
if (fresh) rmSync(log, { force: true });

const files = git('ls-files', '*.ts')
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(ROOT, file)));
const reach = findReach(
  ROOT,
  files.filter((file) => !file.endsWith('.d.ts')),
);
const chosen = PACKAGES.flatMap((name) => choose(name).map((mutant) => ({ name, mutant })));
const verdicts = new Map(
  (isCommitted && existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Verdict)
    .map((verdict) => [verdict.id, verdict]),
);

const databases = await startDatabaseBroker();
const soundTests = new Map<string, Promise<boolean>>();
/** Each leads a process group of its own, which does not hear of a Ctrl-C. */
const running = new Set<number>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, async () => {
    for (const pid of running) process.kill(-pid, 'SIGKILL');
    await databases.close();
    process.exit(1);
  });
const waiting = chosen.filter(({ mutant }) => !verdicts.has(mutant.id));
try {
  await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
} finally {
  await databases.close();
}
report();

async function runWaiting(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { mutant } = next;
    const started = Date.now();
    const verdict = await judge(mutant);
    verdicts.set(mutant.id, verdict);
    // Verdicts on changes that are not committed say nothing of the commit.
    if (isCommitted) appendFileSync(log, `${JSON.stringify(verdict)}\n`);
    const change = `${short(mutant.before)} → ${short(mutant.after)}`;
    const outcome = verdict.noticed ? `noticed by ${verdict.by}` : 'NOT NOTICED';
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`${verdicts.size}/${chosen.length} ${mutant.file}:${mutant.line} ${change}: ${outcome} (${seconds} s)`);
  }
}

/** The sample of a package: the same mutants for the same code, wherever it stands. */
function choose(name: string): Mutant[] {
  return files
    .filter((file) => file.startsWith(`${name}/src/`) && !NOT_SOURCE.test(file))
    .flatMap((file) => findMutants(file, readFileSync(join(ROOT, file), 'utf8')))
    .sort((left, right) => (left.id < right.id ? -1 : 1))
    .slice(0, PER_PACKAGE);
}

async function judge(mutant: Mutant): Promise<Verdict> {
  const left = reach(mutant.file).filter((test) => !LEFT_OUT.test(test));
  for (;;) {
    const tests = left.slice(0, NEAREST);
    const by = tests.length === 0 ? undefined : await findFailure(tests, mutant);
    if (by === undefined) return { id: mutant.id, noticed: false, by: '' };
    // What is no test's own failure says something only where the same tests pass without the mutant.
    if (!tests.includes(by)) return { id: mutant.id, noticed: (await findFailure(tests, null)) === undefined, by };
    if (await isSound(by)) return { id: mutant.id, noticed: true, by };
    // A test that fails without any mutant says nothing of this one.
    console.error(`${by} fails without any mutant and is left out`);
    left.splice(left.indexOf(by), 1);
  }
}

function isSound(test: string): Promise<boolean> {
  const known = soundTests.get(test);
  if (known !== undefined) return known;
  const sound = findFailure([test], null).then((failure) => failure === undefined);
  soundTests.set(test, sound);
  return sound;
}

/** The test file that failed, `a crash` or `an endless loop`; `undefined` when all passed. */
async function findFailure(tests: readonly string[], mutant: Mutant | null): Promise<string | undefined> {
  const report = join(WORK, `report-${process.pid}-${Math.random().toString(36).slice(2)}.json`);
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(
    process.execPath,
    [vitest, 'run', '-c', join(import.meta.dirname, 'vitest.config.ts'), ...tests],
    {
      cwd: ROOT,
      env: { ...process.env, MUTANT: JSON.stringify(mutant), MUTANT_REPORT: report, MUTANT_DATABASES: databases.url },
      stdio: 'ignore',
      detached: true,
    },
  );
  const pid = child.pid;
  if (pid === undefined) throw new Error('vitest could not be started');
  running.add(pid);
  let hangs = false;
  const limit = setTimeout(() => {
    hangs = true;
    process.kill(-pid, 'SIGKILL');
  }, HANG_MS);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearTimeout(limit);
  running.delete(pid);
  try {
    if (hangs) return 'an endless loop';
    if (code === 0) return undefined;
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { name: string; status: string }[];
    };
    return testResults.find(({ status }) => status === 'failed')?.name.slice(ROOT.length + 1) ?? 'a crash';
  } catch {
    return 'a crash';
  } finally {
    rmSync(report, { force: true });
  }
}

function report(): void {
  const count: Count = Object.fromEntries(
    PACKAGES.map((name) => {
      const own = chosen.filter((entry) => entry.name === name);
      return [
        name,
        { mutants: own.length, noticed: own.filter(({ mutant }) => verdicts.get(mutant.id)?.noticed).length },
      ];
    }),
  );
  for (const { mutant } of chosen)
    if (verdicts.get(mutant.id)?.noticed === false)
      console.log(`not noticed: ${mutant.file}:${mutant.line} ${short(mutant.before)} → ${short(mutant.after)}`);
  const baseline = existsSync(BASELINE) ? (JSON.parse(readFileSync(BASELINE, 'utf8')) as Count) : {};
  for (const [name, { mutants, noticed }] of Object.entries(count)) {
    const before = baseline[name]?.noticed ?? 0;
    console.log(`${name}: ${noticed} of ${mutants} noticed, baseline ${before}`);
    if (noticed < before && !isWriting) process.exitCode = 1;
  }
  if (isWriting) writeFileSync(BASELINE, `${JSON.stringify(count, undefined, 2)}\n`);
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 39)}…` : line === '' ? 'nothing' : line;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
}
