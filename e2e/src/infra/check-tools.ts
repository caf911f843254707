import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';

/** Where `infra/checks/require.sh` puts what it brings. */
export const CHECKS_DIR = join(ROOT, '.cache/checks');

/** For the name of a suite that is skipped without. */
export const CHECKS_NEED = 'needs what infra/checks/require.sh brings';

/** In CI they are needed, and a missing one is a failure. */
export const HAS_CHECKS = existsSync(join(CHECKS_DIR, 'installed')) || process.env.CI === 'true';

/** The code that reads compose files in Compose 5, and in the last Compose 2. */
export const COMPOSE_READERS = ['compose-check', 'compose-check-v2'] as const;
export type ComposeReader = (typeof COMPOSE_READERS)[number];

/** What one of the tools prints. Fails with its own words. */
export function runCheck(tool: ComposeReader | 'kustomize', args: readonly string[], env: object = {}): string {
  return execFileSync(join(CHECKS_DIR, 'bin', tool), args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
