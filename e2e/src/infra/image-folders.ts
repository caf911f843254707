import { execFile, execFileSync } from 'node:child_process';
import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@lending/testing';
import { readIgnored } from './docker-ignore.ts';
import { lineOf, readStages, type Stage } from './dockerfile.ts';

/** Stages that begin with one of these images can be run here: what they have beside Node is not used. */
const RUN_HERE = 'node';

export interface ImageFolders {
  readonly stages: ReadonlyMap<string, Stage>;
  /** The folder that stands for the root of a stage's file system, after its own steps were done. */
  layStage(name: string): Promise<string>;
}

/**
 * Does the steps of `infra/docker/Dockerfile` without an engine, a folder for each stage: `COPY` out of the repository as `.dockerignore` leaves it,
 * `COPY --from` out of another stage, and `RUN` in the stages that begin with Node, on this machine's own.
 * What a stage takes over from another is linked: no step changes a file that it did not make.
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
  const laid = new Map<string, Promise<string>>();

  function layStage(name: string): Promise<string> {
    const root = laid.get(name) ?? lay(name);
    laid.set(name, root);
    return root;
  }

  async function lay(name: string): Promise<string> {
    const root = join(folder, name);
    mkdirSync(root, { recursive: true });
    const line = lineOf(stages, name);
    const base = stages.get(name)?.base ?? '';
    if (stages.has(base)) link(await layStage(base), root);
    const canRun = line[0]?.name === RUN_HERE;
    let workdir = '/';
    const env: Record<string, string> = {};
    for (const { name: stage, instructions } of line) {
      for (const { keyword, rest } of instructions) {
        if (keyword === 'WORKDIR') {
          workdir = rest;
          mkdirSync(join(root, workdir), { recursive: true });
        }
        if (keyword === 'ENV') Object.assign(env, Object.fromEntries(rest.split(' ').map((pair) => pair.split('='))));
        // What those before it did is there.
        if (stage !== name) continue;
        if (keyword === 'COPY') await copy(root, workdir, rest);
        if (keyword === 'RUN' && canRun) await run(join(root, workdir), rest, env);
      }
    }
    return root;
  }

  async function copy(root: string, workdir: string, rest: string): Promise<void> {
    const [, from, source = '', target = ''] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(rest) ?? [];
    const to = isAbsolute(target) ? join(root, target) : join(root, workdir, target);
    if (from === RUN_HERE) return;
    if (from !== undefined) {
      link(join(await layStage(from), source), to);
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

/** Puts what is at one path also at another. */
function link(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (!statSync(from).isDirectory()) {
    linkSync(from, to);
    return;
  }
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else link(source, target);
  }
}

async function run(cwd: string, command: string, env: Readonly<Record<string, string>>): Promise<void> {
  await promisify(execFile)('sh', ['-c', command], {
    cwd,
    // npm and Node as everywhere here; what npm has already fetched is not fetched again.
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: process.env.HOME,
      ...inherited(),
      ...env,
      NPM_CONFIG_PREFER_OFFLINE: 'true',
    },
    maxBuffer: 1 << 26,
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
