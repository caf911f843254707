import { join } from 'node:path';
import { startDatabaseBroker } from '@lending/store/testing/database-broker.ts';
import { BUNDLE, bundlePrograms, ROOT } from '@lending/testing';
import type { TestProject } from 'vitest/node';

/** Projects whose tests start no programs. */
const WITHOUT_PROGRAMS: ReadonlySet<string> = new Set(['units', 'mocking', 'conformance']);

let bundling: Promise<void> | undefined;

/** Workers inherit where the programs are. While files are watched, programs are run as they are written. */
async function bundleOnce(): Promise<void> {
  const folder = join(ROOT, '.cache', 'programs');
  await bundlePrograms(folder);
  process.env[BUNDLE] = folder;
}

/** Runs in the test runner's process once for each project, before its first test file. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const broker = await startDatabaseBroker();
  project.provide('databaseBroker', broker.url);
  if (!WITHOUT_PROGRAMS.has(project.name) && !project.config.watch) {
    bundling ??= bundleOnce();
    await bundling;
  }
  return () => broker.close();
}
