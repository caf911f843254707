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

/** A container as compose itself understands the files, as far as tests look at it. */
export interface ComposeContainer {
  readonly image: string;
  readonly ipc?: string;
  readonly build?: { readonly dockerfile: string; readonly target: string };
  readonly command: readonly string[] | null;
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly read_only?: boolean;
  readonly privileged?: boolean;
  readonly restart?: string;
  readonly stop_grace_period?: string;
  readonly networks: Readonly<Record<string, unknown>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly ports?: readonly { readonly host_ip?: string; readonly target: number; readonly published: string }[];
  readonly volumes?: readonly { readonly type: string; readonly source: string; readonly target: string }[];
  readonly secrets?: readonly { readonly source: string; readonly target: string }[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly deploy: {
    readonly resources: { readonly limits?: { readonly cpus: number; readonly memory: string; readonly pids: number } };
  };
}

export interface ComposeProject {
  readonly services: Readonly<Record<string, ComposeContainer>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

/**
 * Reads compose files laid over each other, with compose's own code.
 * @throws with compose's own words, such as where a variable is missing or the files are against its schema.
 */
export function readComposeProject(
  files: readonly string[],
  variables: Readonly<Record<string, string>>,
  reader: ComposeReader = 'compose-check',
): ComposeProject {
  return JSON.parse(runCheck(reader, files, variables)) as ComposeProject;
}
