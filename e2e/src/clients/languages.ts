import { spawnSync } from 'node:child_process';

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
