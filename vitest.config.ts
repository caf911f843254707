import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { endWithRunner } from './lab/fixtures/services/src/runner/end-with-runner.ts';
import { HangLimit } from './lab/fixtures/services/src/runner/hang-limit.ts';
import { SlowestFiles } from './lab/fixtures/services/src/runner/slowest-files.ts';

const root = import.meta.dirname;
const cores = availableParallelism();
/** For a file. The longest takes six minutes on two quiet cores; `npm run prove` sets more for its full counts. */
const LIMIT_MS = Number(process.env.TEST_FILE_LIMIT_MINUTES || 30) * 60_000;
if (!(LIMIT_MS > 0)) throw new Error('TEST_FILE_LIMIT_MINUTES is a number of minutes above 0');

/** What loads the machine, or strikes what it starts: beside others it takes twice its time, and so do they. */
const ALONE = ['chaos', 'compose-engine', 'fault-matrix', 'load', 'two-of-each'].map(
  (name) => `lab/e2e/scenarios/${name}.test.ts`,
);
const OURS = '{packages,services,lab/{fixtures,localnet,e2e,bench,smoke},embedded,examples}';
/** Tests with a real server beside them, and scenarios, which start processes and wait for them. */
const WAITING = [`${OURS}/**/*.integration.test.ts`, 'lab/e2e/scenarios/*.test.ts'];
/** What is mocked for one file stays so for those that share its process. */
const MOCKING = globSync(`${OURS}/**/*.test.ts`, { cwd: root, exclude: ['**/node_modules/**'] }).filter((file) =>
  /\bvi\.mock\(/.test(readFileSync(join(root, file), 'utf8')),
);

interface Kind {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  /** A process for each file. Without one, files share the modules that they load, which is most of what a small file costs. */
  readonly isolate: boolean;
  /** Kinds of the same order run at once, those of the next one after them. */
  readonly order: number;
  readonly workers: number;
  readonly setupFiles?: readonly string[];
}

/** One process per core for tests that keep a core busy: on two cores a third process saved `units` nothing (docs/decisions/0040). */
const KINDS: readonly Kind[] = [
  {
    name: 'units',
    include: [`${OURS}/**/*.test.ts`],
    exclude: [...WAITING, ...MOCKING],
    isolate: false,
    order: 0,
    workers: cores,
  },
  { name: 'mocking', include: MOCKING, isolate: true, order: 0, workers: cores },
  {
    name: 'conformance',
    include: ['lab/parity/**/*.test.ts'],
    isolate: false,
    order: 0,
    workers: cores,
    setupFiles: ['lab/parity/src/require-sdks.ts'],
  },
  // One more than there are cores: nearly each of them waits some of its time.
  { name: 'waiting', include: WAITING, exclude: [...ALONE, ...MOCKING], isolate: false, order: 1, workers: cores + 1 },
  { name: 'alone', include: ALONE, isolate: true, order: 2, workers: 1 },
];

function project({ name, include, exclude = [], isolate, order, workers, setupFiles = [] }: Kind) {
  return {
    extends: true,
    test: {
      name,
      include: [...include],
      exclude: ['**/node_modules/**', ...exclude],
      isolate,
      maxWorkers: workers,
      sequence: { groupOrder: order },
      setupFiles: ['lab/fixtures/services/src/runner/note-file.ts', ...setupFiles],
    },
  } satisfies TestProjectInlineConfiguration;
}

export default defineConfig({
  // As Node resolves it for everybody: the bundlers' entry would be a second copy, whose schema the libraries do not take.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    // One database server for each project, started when the first test asks for it.
    globalSetup: ['./vitest.setup.ts'],
    projects: KINDS.map(project),
    // Limits that only a hang reaches: nothing here is a timed test, and a slow machine is no failure.
    testTimeout: LIMIT_MS / 3,
    hookTimeout: LIMIT_MS / 3,
    expect: { poll: { timeout: 120_000 } },
    reporters: [
      // First: what comes after writes temporary files.
      { onInit: endWithRunner },
      'default',
      new HangLimit(LIMIT_MS),
      new SlowestFiles(),
      ['json', { outputFile: '.cache/test-results.json' }],
    ],
  },
});
