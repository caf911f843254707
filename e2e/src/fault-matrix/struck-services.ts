import { readFile } from 'node:fs/promises';
import { FEW_SWAP_QUOTES, RAISED_RATE_LIMITS, type RunningProcess, startProcess } from '@lending/testing';
import { readComposeService } from '../compose-file.ts';
import { READY_LINE, SERVICES, type Service, urlOf } from '../services.ts';

/** Rates and accounts are called stale so soon that a test can wait for it. */
export const STALE_AFTER_MS = 3_000;
/** One attempt on the node. */
export const RPC_TIMEOUT_MS = 6_000;
export const POLL_MS = 1_000;

/** Where the services find what they depend on: all of it links. */
export interface Surroundings {
  readonly kafka: string;
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly jupiterUrl: string;
  readonly dflowUrl: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The three services as `docker-compose.yml` wires them, on faulty ground. */
export interface StruckServices {
  urlOf(service: Service): string;
  /** Every line that a service printed so far. */
  linesOf(service: Service): readonly string[];
  /** Resident memory, bytes. */
  memoryOf(service: Service): Promise<number>;
  /** Whether it still runs: no fault may end it. */
  runs(service: Service): boolean;
  stop(service: Service): Promise<void>;
  stopAll(): Promise<void>;
}

export async function startStruckServices(around: Surroundings): Promise<StruckServices> {
  const processes = new Map<Service, RunningProcess>();
  const of = (service: Service): RunningProcess => {
    const running = processes.get(service);
    if (running === undefined) throw new Error(`${service} was not started`);
    return running;
  };

  async function start(service: Service): Promise<void> {
    const { entry, env } = readComposeService(service, { '0.0.0.0': '127.0.0.1' }, {});
    const beats = ['P0', 'KAMINO', 'JUPLEND', 'SOLEND', 'DRIFT'].map((venue) => [`POLL_${venue}_MS`, String(POLL_MS)]);
    processes.set(
      service,
      await startProcess({
        entry,
        readyLine: READY_LINE[service],
        env: {
          ...env,
          ...RAISED_RATE_LIMITS,
          ...FEW_SWAP_QUOTES,
          ...Object.fromEntries(beats),
          ...around.env,
          KAFKA_BROKERS: around.kafka,
          DATABASE_URL: around.databaseUrl,
          SOLANA_RPC_URL: around.rpcUrl,
          SOLANA_WS_URL: around.wsUrl,
          PROBE_PORT: '0',
          API_PORT: '0',
          CHAIN_SOURCE: 'localnet',
          INDEX_SCOPE: 'all',
          // So often that what is listed is asked for while a fault lasts.
          DISCOVERY_MS: '5000',
          RECONCILE_MS: '5000',
          WALLET_REFRESH_MS: '10000',
          WATCH_COLLECT_MS: '100',
          FOLLOW_WAIT_MS: '300',
          RPC_TIMEOUT_MS: String(RPC_TIMEOUT_MS),
          RATES_STALE_AFTER_MS: String(STALE_AFTER_MS),
          ACCOUNTS_STALE_AFTER_MS: String(STALE_AFTER_MS),
          JUPITER_URL: around.jupiterUrl,
          DFLOW_URL: around.dflowUrl,
          LOG_LEVEL: 'info',
        },
      }),
    );
  }

  await Promise.all(SERVICES.map(start));
  return {
    urlOf: (service) => urlOf(of(service)),
    linesOf: (service) => of(service).lines,
    async memoryOf(service) {
      const status = await readFile(`/proc/${of(service).child.pid}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024;
    },
    runs: (service) => of(service).child.exitCode === null && of(service).child.signalCode === null,
    stop: async (service) => {
      await of(service).stop();
    },
    async stopAll() {
      await Promise.all([...processes.values()].map((running) => running.stop()));
    },
  };
}
