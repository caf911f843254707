import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RAISED_RATE_LIMITS, ROOT, type RunningProcess, startProcess } from '@lending/testing';
import { parse } from 'yaml';

/** As `docker-compose.yml` and the folders call them. */
export const SERVICES = ['rate-poller', 'indexer', 'api'] as const;
export type Service = (typeof SERVICES)[number];
type Settings = Readonly<Record<string, string>>;

/** The line by which a service says that it is up, with the port at which it answers: probes, and of the api everything. */
export const READY_LINE: Readonly<Record<Service, RegExp>> = {
  'rate-poller': /"probes":"http:\/\/[^"]*:(\d+)".*rate\.poller\.start/,
  indexer: /"probes":"http:\/\/[^"]*:(\d+)".*indexer\.process\.start/,
  api: /"port":(\d+).*api\.server\.listen/,
};

/**
 * Settings of services that do at once what they else do every half minute: answers are as old as their oldest bank, and a group waits for
 * a member that was killed.
 */
export const EAGER_SETTINGS = {
  POLL_P0_MS: '500',
  POLL_KAMINO_MS: '1000',
  POLL_JUPLEND_MS: '1000',
  POLL_SOLEND_MS: '1000',
  POLL_DRIFT_MS: '1000',
  KAFKA_SESSION_MS: '3000',
} as const;

/** Where services find what they depend on. */
export interface Ground {
  /** `host:port`. */
  readonly kafka: string;
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  /** Default: at the same place. */
  readonly wsUrl?: string;
  /** Over those of `docker-compose.yml`. */
  readonly settings?: Settings;
  /** Of the users that `docker-compose.yml` names. Default: services sign in as `databaseUrl` says. */
  readonly passwords?: Settings;
}

export interface Member {
  readonly name: string;
  readonly service: Service;
  readonly process: RunningProcess;
  /** Where it answers: probes, and of the api everything. */
  readonly url: string;
}

interface StartOptions {
  /** Default: the service's. */
  readonly name?: string;
  /** The folder that it is run from, such as of another version; default: this checkout. */
  readonly root?: string;
}

/** Processes of the three services, one or several of each, as `docker-compose.yml` runs them, without containers. */
export class Cluster {
  readonly members = new Map<string, Member>();
  readonly #ground: Ground;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** Starts one, and waits until it says that it is up. */
  async start(service: Service, { name = service, root }: StartOptions = {}): Promise<Member> {
    const { entry, env } = readComposeService(service, this.#ground);
    const { kafka, databaseUrl, settings, passwords } = this.#ground;
    const process = await startProcess({
      entry,
      readyLine: READY_LINE[service],
      env: {
        ...env,
        ...RAISED_RATE_LIMITS,
        KAFKA_BROKERS: kafka,
        CHAIN_SOURCE: 'localnet',
        ...(passwords === undefined && { DATABASE_URL: databaseUrl }),
        PROBE_PORT: '0',
        API_PORT: '0',
        ...settings,
      },
      ...(root !== undefined && { root }),
    });
    const member = { name, service, process, url: `http://127.0.0.1:${process.baseUrl}` };
    this.members.set(name, member);
    return member;
  }

  of(name: string): Member {
    const member = this.members.get(name);
    if (member === undefined) throw new Error(`${name} does not run`);
    return member;
  }

  urlOf(name: string): string {
    return this.of(name).url;
  }

  /** Tells it to stop. @returns the exit code. */
  async stopOne(name: string): Promise<number | null> {
    const { process } = this.of(name);
    this.members.delete(name);
    return process.stop();
  }

  /** The same without a word. */
  async kill(name: string): Promise<void> {
    const { process } = this.of(name);
    this.members.delete(name);
    await process.kill();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.members.keys()].map((name) => this.stopOne(name)));
  }
}

/** Resident memory of a process, bytes; 0 where it has ended. */
export async function memoryOf({ child: { pid } }: RunningProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024;
}

interface ComposeFile {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly command?: readonly string[];
        /** A key without a value takes that of the environment. */
        readonly environment?: Readonly<Record<string, string | null>>;
      }
    >
  >;
}

/**
 * Reads a service's command and environment out of `docker-compose.yml`, with the host names of its network replaced by the
 * addresses of this ground. So a test runs what the file says, not a copy of it.
 */
function readComposeService(name: Service, { kafka, databaseUrl, rpcUrl, wsUrl, passwords }: Ground) {
  const file = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as ComposeFile;
  const service = file.services[name];
  const [entry] = service?.command ?? [];
  if (service === undefined || entry === undefined) throw new Error(`docker-compose.yml has no command for ${name}`);
  const { host, pathname } = new URL(databaseUrl);
  const variables: Settings = {
    SOLANA_RPC_URL: rpcUrl,
    ...(wsUrl !== undefined && { SOLANA_WS_URL: wsUrl }),
    ...passwords,
  };
  const env = Object.entries(service.environment ?? {}).flatMap(([variable, value]) => {
    const given = value === null ? variables[variable] : expand(value, variables);
    const placed = given
      ?.replaceAll('kafka:9092', kafka)
      .replaceAll('postgres:5432/lending', `${host}${pathname}`)
      .replaceAll('0.0.0.0', '127.0.0.1');
    return placed === undefined ? [] : [[variable, placed]];
  });
  return { entry, env: Object.fromEntries(env) as Settings };
}

/** Compose's own rules, as far as the file uses them: `${A}`, `${A:-text}`, `${A:?reason}`, texts that hold more of these, and `$$`. */
function expand(value: string, variables: Settings): string {
  const innermost = /\$\{([A-Z_]+)(?::([-?])([^${}]*))?\}/;
  for (let text = value; ; ) {
    const match = innermost.exec(text);
    if (match === null) return text.replaceAll('$$', '$');
    const [found, name = '', operator, rest = ''] = match;
    text = text.replace(found, () => variables[name] || (operator === '-' ? rest : ''));
  }
}
