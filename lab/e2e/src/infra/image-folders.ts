import { execFile, execFileSync } from 'node:child_process';
import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@lending/testing';

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

/** One line of a stage, as it is written: `COPY --from=pruned /pruned ./`. */
export interface Instruction {
  readonly keyword: string;
  readonly rest: string;
}

export interface Stage {
  readonly name: string;
  /** The stage or image that it begins with. */
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile by name. It reads what ours uses: one line an instruction, or lines that end in a backslash. */
export function readStages(text: string): ReadonlyMap<string, Stage> {
  const lines = text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const stages = new Map<string, { name: string; base: string; instructions: Instruction[] }>();
  let current: { name: string; base: string; instructions: Instruction[] } | undefined;
  for (const line of lines) {
    const [, keyword = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    if (keyword === 'FROM') {
      const [base = '', , name = base] = rest.split(' ');
      current = { name, base, instructions: [] };
      stages.set(name, current);
    } else if (current === undefined) throw new Error(`${line} stands before the first FROM`);
    else current.instructions.push({ keyword, rest });
  }
  return stages;
}

/** A stage and those that it begins with, the first of them first. */
export function lineOf(stages: ReadonlyMap<string, Stage>, name: string): readonly Stage[] {
  const stage = stages.get(name);
  return stage === undefined ? [] : [...lineOf(stages, stage.base), stage];
}

/** The last value of an instruction along a stage's line, such as of `USER`. */
export function lastOf(stages: ReadonlyMap<string, Stage>, name: string, keyword: string): string | undefined {
  return lineOf(stages, name)
    .flatMap(({ instructions }) => instructions)
    .findLast((instruction) => instruction.keyword === keyword)?.rest;
}

/** Says of a path within the repository whether `.dockerignore` keeps it out of a build; the last line that fits decides. */
export function readIgnored(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isKept = line.startsWith('!');
      return { isKept, pattern: toPattern(isKept ? line.slice(1) : line) };
    });
  return (path) => {
    const fitting = rules.findLast(({ pattern }) => pattern.test(path));
    return fitting !== undefined && !fitting.isKept;
  };
}

/** A line means the path itself and all below it. */
function toPattern(line: string): RegExp {
  const source = line
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll('\0', '(?:.*/)?');
  return new RegExp(`^${source}(?:/.*)?$`);
}
