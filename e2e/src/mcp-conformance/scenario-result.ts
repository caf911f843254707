import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How many checks of a scenario ended how. */
export interface ScenarioResult {
  readonly passed: number;
  readonly failed: number;
  /** What the specification only advises. */
  readonly warned: number;
  readonly skipped: number;
}

/** A folder of the suite's results: `server-<scenario>-<time>`. */
const FOLDER = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/;

/** Reads what a run of the suite left in a folder, by scenario. */
export function readResults(folder: string): ReadonlyMap<string, ScenarioResult> {
  const entries = readdirSync(folder).flatMap((name): readonly [string, ScenarioResult][] => {
    const scenario = FOLDER.exec(name)?.[1];
    return scenario === undefined ? [] : [[scenario, readChecks(join(folder, name, 'checks.json'))]];
  });
  return new Map(entries);
}

function readChecks(file: string): ScenarioResult {
  const checks = JSON.parse(readFileSync(file, 'utf8')) as readonly { readonly status: string }[];
  const count = (status: string) => checks.filter((check) => check.status === status).length;
  return {
    passed: count('SUCCESS'),
    failed: count('FAILURE'),
    warned: count('WARNING'),
    skipped: count('SKIPPED'),
  };
}
