import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const START_MS = 120_000;
const READY_LINE = /REST\s+(http:\/\/\S+?)\/v1\/banks/;

interface StartedService {
  readonly url: string;
  /** A token of a caller of its own. */
  issueToken(): Promise<string>;
  /** What it logged as errors, by name of event. */
  errors(): readonly string[];
  stop(): Promise<void>;
}

/** Who asks everything asks a lot; what refuses is none of a smoke test's business. */
const RAISED_LIMITS = {
  RATE_LIMIT_MCP: '1000000',
  RATE_LIMIT_V1: '1000000',
  RATE_LIMIT_TX: '1000000',
  RATE_LIMIT_LEVERAGE: '1000000',
};
/** Ports, certificates and folders of whoever works here otherwise are none of ours. */
const OWN = {
  API_HOST: '127.0.0.1',
  API_PORT: '0',
  CONVERSATIONS_PORT: '',
  TLS_CERT: '',
  TLS_KEY: '',
  TRUSTED_PROXIES: '',
};

/** What a service is started with. */
interface ServiceSurroundings {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Settings of whoever starts it; ports and folders are its own. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Starts the one-process shape on a data folder that ends with it.
 * @throws Error with what it printed where it does not start; the reason of `signal` where that aborts meanwhile.
 */
export async function startService(given: ServiceSurroundings, signal: AbortSignal): Promise<StartedService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'smoke-'));
  // Postgres refuses to run as root, and its own user has to enter.
  await chmod(dataDir, 0o711);
  const env = {
    ...given.environment,
    ...RAISED_LIMITS,
    ...OWN,
    DATA_DIR: dataDir,
    LOG_FORMAT: 'json',
    SOLANA_RPC_URL: given.rpcUrl,
    SOLANA_WS_URL: given.wsUrl,
    INDEX_SCOPE: 'on-demand',
  };
  const { config } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly config: { readonly node_flags: string };
  };
  const args = [...config.node_flags.split(' '), 'embedded/src/main.ts'];
  // The channel tells it when this process is gone, however that ended: then it ends, too.
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  const errors: string[] = [];
  const started = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      if (lines.length < 200) lines.push(line);
      const [, url] = READY_LINE.exec(line) ?? [];
      if (url !== undefined) started.resolve(url);
      const event = loggedError(line);
      if (event !== null) errors.push(event);
    });
  }
  const timer = setTimeout(() => started.reject(new Error('it does not start in time')), START_MS);
  const giveUp = () => started.reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  void exited.then(() => started.reject(new Error(`the service ends: ${lines.slice(-3).join(' ')}`)));

  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const url = await started.promise;
    return {
      url,
      issueToken: async () => {
        const command = spawn(process.execPath, ['embedded/src/token.ts', 'create', 'smoke'], {
          cwd: ROOT,
          env,
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const printed = await command.stdout.toArray();
        return Buffer.concat(printed as Buffer[])
          .toString()
          .trim();
      },
      errors: () => errors,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

const FAILURES: ReadonlySet<unknown> = new Set(['error', 'fatal']);

/** Which event a line of the log says failed; null for any other line. */
export function loggedError(line: string): string | null {
  if (!line.startsWith('{')) return null;
  try {
    const { level, event, msg } = JSON.parse(line) as { level?: string; event?: string; msg?: string };
    return FAILURES.has(level) ? (event ?? msg ?? line.slice(0, 200)) : null;
  } catch {
    return null;
  }
}
