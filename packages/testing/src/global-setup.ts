import type { TestProject } from 'vitest/node';
import { startDatabaseBroker } from './database-broker.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseBroker: string;
  }
}

/** Runs in the test runner's process once for each project, before its first test file. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const broker = await startDatabaseBroker();
  project.provide('databaseBroker', broker.url);
  return () => broker.close();
}
