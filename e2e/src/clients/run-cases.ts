import { execFile } from 'node:child_process';
import { ROOT } from '@lending/testing';
import type { Language } from './languages.ts';

/** What a test program of a client reported. */
export interface Cases {
  /** Names of the cases that passed, sorted. */
  readonly passed: readonly string[];
  /** All it printed, for whoever has to find out why one did not. */
  readonly output: string;
  readonly code: number | null;
}

/** Lines of TAP, and those of Python's unittest, whose names are its functions'. */
const PASSED = [/^ok(?: \d+)? - (.+)$/gm, /^test_(\w+) .*\.\.\. ok$/gm];

const TIMEOUT_MS = 240_000;

/** Runs a client's test program, which knows nothing of this one but what `env` says. */
export function runCases({ program, args }: Language, env: Readonly<Record<string, string>>): Promise<Cases> {
  const { PATH = '', HOME = '' } = process.env;
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: { PATH, HOME, ...env }, timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 };
    const child = execFile(program, args, options, (_error, stdout, stderr) => {
      const output = `${stdout}\n${stderr}`;
      const names = PASSED.flatMap((line) =>
        [...output.matchAll(line)].map(([, name = '']) => name.replaceAll('_', ' ')),
      );
      resolve({ passed: names.toSorted(), output, code: child.exitCode });
    });
  });
}
