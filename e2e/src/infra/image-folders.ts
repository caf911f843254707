import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { ROOT } from '@lending/testing';
import { readIgnored } from './docker-ignore.ts';
import { lineOf, readStages, type Stage } from './dockerfile.ts';

/** Stages that begin with one of these images can be run here: what they have beside Node is not used. */
const RUN_HERE = 'node';

export interface ImageFolders {
  readonly stages: ReadonlyMap<string, Stage>;
  /** The folder that stands for the root of a stage's file system, after its own steps were done. */
  layStage(name: string): string;
}

/**
 * Does the steps of `infra/docker/Dockerfile` without an engine, a folder for each stage: `COPY` out of the repository as `.dockerignore` leaves it,
 * `COPY --from` out of another stage, and `RUN` in the stages that begin with Node, on this machine's own.
 */
export function openImageFolders(folder: string): ImageFolders {
  const stages = readStages(readFileSync(join(ROOT, 'infra/docker/Dockerfile'), 'utf8'));
  const isIgnored = readIgnored(readFileSync(join(ROOT, '.dockerignore'), 'utf8'));
  // What git knows, and what is about to be told to it: data, caches and the like of this machine are no part of a clone.
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const context = listed.split('\0').filter((path) => path !== '' && !isIgnored(path));
  const laid = new Map<string, string>();

  function layStage(name: string): string {
    const done = laid.get(name);
    if (done !== undefined) return done;
    const root = join(folder, name);
    laid.set(name, root);
    mkdirSync(root, { recursive: true });
    const line = lineOf(stages, name);
    const canRun = line[0]?.name === RUN_HERE;
    let workdir = '/';
    const env: Record<string, string> = {};
    for (const { keyword, rest } of line.flatMap(({ instructions }) => instructions)) {
      switch (keyword) {
        case 'WORKDIR':
          workdir = rest;
          mkdirSync(join(root, workdir), { recursive: true });
          break;
        case 'ENV':
          Object.assign(env, Object.fromEntries(rest.split(' ').map((pair) => pair.split('='))));
          break;
        case 'COPY':
          copy(root, workdir, rest);
          break;
        case 'RUN':
          if (canRun) run(join(root, workdir), rest, env);
          break;
        default:
      }
    }
    return root;
  }

  function copy(root: string, workdir: string, rest: string): void {
    const [, from, source = '', target = ''] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(rest) ?? [];
    const to = isAbsolute(target) ? join(root, target) : join(root, workdir, target);
    if (from === RUN_HERE) return;
    if (from !== undefined) {
      cpSync(join(layStage(from), source), to, { recursive: true, verbatimSymlinks: true });
      return;
    }
    if (source !== '.') throw new Error(`COPY ${rest}: only all of the repository is copied`);
    for (const path of context) {
      mkdirSync(dirname(join(to, path)), { recursive: true });
      cpSync(join(ROOT, path), join(to, path));
    }
  }

  return { stages, layStage };
}

function run(cwd: string, command: string, env: Readonly<Record<string, string>>): void {
  execFileSync('sh', ['-c', command], {
    cwd,
    // npm and Node as everywhere here; what npm has already fetched is not fetched again.
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: process.env.HOME,
      ...inherited(),
      ...env,
      NPM_CONFIG_PREFER_OFFLINE: 'true',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** How this machine reaches a registry. */
function inherited(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(npm_config_|NODE_EXTRA_CA_CERTS$|SSL_CERT_|https?_proxy$|no_proxy$)/i.test(name),
    ),
  );
}
