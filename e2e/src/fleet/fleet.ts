import { type RunningProcess, startProcess } from '@lending/testing';
import { readComposeService } from '../compose-file.ts';
import { eventually } from '../eventually.ts';
import { READY_LINE, type Service, urlOf } from '../services.ts';
import type { Balancer } from './balancer.ts';

/** What a fleet stands on. */
export interface FleetGround {
  readonly broker: string;
  readonly connectionString: string;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Settings beside those of `docker-compose.yml`. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface Member {
  readonly name: string;
  readonly service: Service;
  readonly process: RunningProcess;
  /** Where it answers probes. */
  readonly url: string;
}

/** How one process was replaced, ms. */
export interface Replacement {
  readonly name: string;
  /** When it was told, as `performance.now()` counts. */
  readonly toldMs: number;
  readonly goneAfterMs: number;
  readonly readyAfterMs: number;
  readonly code: number | null;
}

/** Processes of the three services, several of each, as `docker-compose.yml` runs them. */
export interface Fleet {
  readonly members: ReadonlyMap<string, Member>;
  start(name: string, service: Service): Promise<void>;
  /** Tells one to stop, waits until it is gone, starts another in its place, and waits until that is ready. */
  restart(name: string): Promise<Replacement>;
  /** The same without a word. */
  killAndStart(name: string): Promise<Replacement>;
  stop(): Promise<void>;
}

const PATIENCE_MS = 240_000;

export function createFleet(ground: FleetGround, balancer: Balancer): Fleet {
  const members = new Map<string, Member>();

  async function start(name: string, service: Service): Promise<void> {
    const { rpcUrl, wsUrl, broker, connectionString } = ground;
    const variables = { SOLANA_RPC_URL: rpcUrl, SOLANA_WS_URL: wsUrl };
    const { entry, env } = readComposeService(service, { '0.0.0.0': '127.0.0.1' }, variables);
    const placed = { ...variables, DATABASE_URL: connectionString, KAFKA_BROKERS: broker };
    const running = await startProcess({
      entry,
      env: { ...env, ...placed, PROBE_PORT: '0', API_PORT: '0', CHAIN_SOURCE: 'localnet', ...ground.settings },
      readyLine: READY_LINE[service],
    });
    const member = { name, service, process: running, url: urlOf(running) };
    members.set(name, member);
    await untilReady(member);
    if (service === 'api') balancer.add(name, member.url);
  }

  async function replace(name: string, end: (running: RunningProcess) => Promise<number | null>): Promise<Replacement> {
    const member = members.get(name);
    if (member === undefined) throw new Error(`nobody is called ${name}`);
    const toldMs = performance.now();
    const code = await end(member.process);
    const goneAfterMs = performance.now() - toldMs;
    if (member.service === 'api') balancer.remove(name);
    await start(name, member.service);
    return { name, toldMs, goneAfterMs, readyAfterMs: performance.now() - toldMs, code };
  }

  return {
    members,
    start,
    restart: (name) => replace(name, (running) => running.stop()),
    killAndStart: (name) =>
      replace(name, async (running) => {
        await running.kill();
        return null;
      }),
    async stop() {
      await Promise.all([...members.values()].map(({ process: running }) => running.stop()));
    },
  };
}

async function untilReady({ name, url }: Member): Promise<void> {
  await eventually(
    async () => {
      const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
      if (response.status !== 200) throw new Error(`${name} is not ready: ${await response.text()}`);
    },
    PATIENCE_MS,
    100,
  );
}
