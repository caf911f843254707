import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import type { Mutant } from './find-mutants.ts';

const root = join(import.meta.dirname, '../../..');
const mutant = JSON.parse(process.env.MUTANT ?? 'null') as Mutant | null;

/** Nearest first, as they stand on the command line: the first mostly decides. */
class AsNamed extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      process.argv.findIndex((argument) => moduleId.endsWith(`/${argument}`));
    return specifications.sort((left, right) => place(left) - place(right));
  }
}

/** Runs tests with one mutant in place of the source on the disk, which stays as it is. */
export default defineConfig({
  root,
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform(_source, id) {
        if (mutant === null || id !== join(root, mutant.file)) return undefined;
        const source = readFileSync(id, 'utf8');
        return { code: source.slice(0, mutant.start) + mutant.after + source.slice(mutant.end), map: null };
      },
      configureVitest: ({ defineCacheKeyGenerator }) =>
        defineCacheKeyGenerator(({ id }) => (mutant !== null && id === join(root, mutant.file) ? false : undefined)),
    },
  ],
  test: {
    // Transformed modules are kept between the runs of one count.
    fsModuleCachePath: join(root, '.cache/prove/modules'),
    provide: { databaseBroker: process.env.MUTANT_DATABASES ?? '' },
    setupFiles: [join(import.meta.dirname, 'fix-seed.ts')],
    maxWorkers: 1,
    sequence: { sequencer: AsNamed },
    bail: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: [['json', { outputFile: process.env.MUTANT_REPORT ?? '' }]],
  },
});
