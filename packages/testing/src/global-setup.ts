import type { TestProject } from 'vitest/node';
import { startDatabaseBroker } from './database-broker.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseBroker: string;
  }
}

/** Runs once in the test runner's process, before any test file. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const broker = await startDatabaseBroker();
  project.provide('databaseBroker', broker.url);
  return () => broker.close();
}
