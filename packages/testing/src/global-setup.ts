import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { BUNDLE, ROOT } from './app-process.ts';
import { bundlePrograms } from './bundle-programs.ts';
import { startDatabaseBroker } from './database-broker.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseBroker: string;
  }
}

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
