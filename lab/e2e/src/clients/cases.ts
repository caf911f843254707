import { execFile, spawnSync } from 'node:child_process';
import { ROOT } from '@lending/testing';

/**
 * What every client has to do, in the words that its test program reports. A program that leaves one out, or adds one that the others
 * lack, fails the scenario.
 */

/** Against a scripted service, which does what the real one seldom does. */
export const SCRIPTED_CASES: readonly string[] = [
  'waits as long as it is told and asks again',
  'gives back at once what it would wait too long for',
  'gives up when its waits add up to more than it may wait',
  'waits while the service is away',
  'ends an attempt that takes too long',
  'says when something else than the service answered',
  'walks through all pages in order',
  'stops at pages that never end',
  'follows no redirect with its token',
  'sends keys with loops and closes alone',
  'names its conversation and escapes what it is given',
  'never makes a conversation twice',
  'asks for conversations where they are served',
  'hands a sequence over one by one in order',
  'stops a sequence at the first that failed',
  'hands a bundle over as one',
  'hands over nothing that is a preview or expired',
  'refuses what is no envelope',
  'shows no key and no token',
];

/** Against the service itself. */
export const SERVICE_CASES: readonly string[] = [
  'reads what there is',
  'walks through all banks as one page has them',
  'tells errors by code and what to change',
  'asks every builder',
  'builds what a signer of its own lands',
  'keeps conversations',
  'says that a token is wrong',
];

/** Against the service at the limits of the specification. */
export const LIMIT_CASES: readonly string[] = [
  'is refused beyond the limit and told for how long',
  'waits a limit out and is answered',
];

/** A client, and how its test program is run from the root of the repository. */
export interface Language {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** What has to be there; null: nothing that this suite does not run on itself. */
  readonly needs: { readonly check: readonly string[]; readonly brought: string } | null;
}

const BROUGHT = 'bash infra/clients/require.sh';

export const LANGUAGES: readonly Language[] = [
  {
    name: 'JavaScript',
    program: process.execPath,
    args: ['--test', '--test-reporter=tap', 'clients/javascript/test/client.test.js'],
    needs: null,
  },
  {
    name: 'Python',
    program: 'python3',
    args: ['clients/python/tests/test_client.py'],
    needs: {
      check: ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))'],
      brought: `needs Python 3.9: ${BROUGHT}`,
    },
  },
  {
    name: 'PHP',
    program: 'php',
    args: ['clients/php/tests/client-test.php'],
    needs: {
      check: ['php', '-r', 'exit(PHP_VERSION_ID >= 80200 && extension_loaded("curl") ? 0 : 1);'],
      brought: `needs PHP 8.2 with curl: ${BROUGHT}`,
    },
  },
  {
    name: 'cURL',
    program: 'bash',
    args: ['clients/curl/tests/client-test'],
    needs: { check: ['curl', '--version'], brought: 'needs curl: apt-get install curl' },
  },
];

/** What to read behind the name of a suite that is skipped; null where nothing is missing. */
export function missingFor({ needs }: Language): string | null {
  if (needs === null) return null;
  const [program = '', ...args] = needs.check;
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0 ? null : needs.brought;
}

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
