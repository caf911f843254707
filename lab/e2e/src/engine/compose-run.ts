import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';

/** For the name of a suite that is skipped without. */
export const ENGINE_NEED = 'needs a container engine';

/** The files of the project, from the repository's root. */
export const FILES = ['docker-compose.yml', 'lab/e2e/src/engine/chain.compose.yml'];

export interface ComposeOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ComposeRun {
  /** Runs `docker compose` with these arguments, whatever its exit code. */
  run(args: readonly string[], options?: ComposeRunOptions): Promise<ComposeOutcome>;
  /** @returns what it printed on standard output. @throws what it printed where it ends with another code than 0. */
  must(args: readonly string[], options?: ComposeRunOptions): Promise<string>;
  /** The rows of a statement on its database, as text, columns apart by `|`. */
  query(sql: string): Promise<string>;
}

export interface ComposeRunOptions {
  /** Over the project's own. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Buffer | string;
  /** Instead of the project's. */
  readonly files?: readonly string[];
}

/** Whether an engine with compose answers. */
export function hasEngine(): boolean {
  try {
    execFileSync('docker', ['compose', 'version'], { stdio: 'ignore' });
    execFileSync('docker', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A project of a name of its own, with nothing from this environment but where the engine is. */
export function openCompose(name: string, env: Readonly<Record<string, string>>): ComposeRun {
  const around = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => /^(PATH|HOME|DOCKER_.*|BUILDX_.*|BUILDKIT_.*)$/.test(key)),
  );
  const run: ComposeRun['run'] = (args, options = {}) => {
    const files = (options.files ?? FILES).flatMap((file) => ['-f', join(ROOT, file)]);
    const { promise, resolve } = Promise.withResolvers<ComposeOutcome>();
    const child = execFile(
      'docker',
      // No .env of this checkout.
      ['compose', '--project-directory', ROOT, '--env-file', '/dev/null', '-p', name, ...files, ...args],
      { env: { ...around, ...env, ...options.env }, maxBuffer: 1 << 28, encoding: 'utf8' },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
    child.stdin?.end(options.input);
    return promise;
  };
  const must: ComposeRun['must'] = async (args, options) => {
    const { code, stdout, stderr } = await run(args, options);
    if (code !== 0) throw new Error(`docker compose ${args.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`);
    return stdout;
  };
  return {
    run,
    must,
    query: async (sql) =>
      (await must(['exec', '-T', 'postgres', 'psql', '-qAtU', 'lending', '-d', 'lending', '-c', sql])).trim(),
  };
}
