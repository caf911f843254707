import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';

/** What an api that was told to stop may take once it has served on for `API_DRAIN_MS`, by the constants of its own sources, and what they add up to. */
const PARTS = [
  ['services/api/src/visitors/end-connections.ts', 'FINISH_MS'],
  ['services/api/src/start-api.ts', 'TIDY_MS'],
] as const;
/** Every other process, and all of an api that comes after its doors: `deadlineMs` of packages/runtime/src/shutdown.ts. */
const REST = ['packages/runtime/src/shutdown.ts', 'deadlineMs'] as const;

/** Milliseconds from the end of `API_DRAIN_MS` to the end of the process, at most. */
export function readStopMs(): number {
  return [...PARTS, REST].reduce((sum, [path, name]) => sum + readConstant(path, name), 0);
}

function readConstant(path: string, name: string): number {
  const [, digits] = new RegExp(`\\b${name} = ([\\d_]+)`).exec(readFileSync(join(ROOT, path), 'utf8')) ?? [];
  if (digits === undefined) throw new Error(`${path} has no ${name} any more`);
  return Number(digits.replaceAll('_', ''));
}
