import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningProcess, startProcess } from '@lending/testing';
import { READY_LINE } from '../cluster/cluster.ts';
import { Demo } from '../cluster/demo.ts';
import { eventually } from '../eventually.ts';

/** An api process that load is put on. */
export interface LoadedApi {
  readonly url: string;
  readonly process: RunningProcess;
}

/** Api processes over the tables of an `npm start`, which fills them and is itself left alone. */
export interface LoadedService {
  readonly apis: readonly LoadedApi[];
  /** So much time passes for what counts requests: the clocks of the apis, and that of the database. Once. */
  passTime(ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** Whoever asks from this machine says for whom: so one machine is a thousand clients. */
export function asClient(address: string): Readonly<Record<string, string>> {
  return { 'x-forwarded-for': address };
}

export async function startLoadedService(count: number): Promise<LoadedService> {
  const demo = await new Demo('load').start();
  const clock = join(demo.dataDir, 'clock');
  const processes = await Promise.all(
    Array.from({ length: count }, () =>
      startProcess({
        entry: 'services/api/src/main.ts',
        readyLine: READY_LINE.api,
        env: {
          DATABASE_URL: demo.databaseUrl,
          // No read asks the chain, and nothing is built.
          SOLANA_RPC_URL: 'http://127.0.0.1:9',
          CHAIN_SOURCE: 'localnet',
          API_PORT: '0',
          TRUSTED_PROXIES: '127.0.0.1',
          NODE_OPTIONS: `--import=${new URL('./moved-clock.ts', import.meta.url)}`,
          MOVED_CLOCK: clock,
        },
      }),
    ),
  );
  const apis = processes.map((process) => ({ url: `http://127.0.0.1:${process.baseUrl}`, process }));
  await Promise.all(apis.map(({ url }) => untilServed(url)));
  return {
    apis,
    async passTime(ms) {
      await writeFile(clock, String(ms));
      await demo.query(PASS_TIME, [ms]);
      for (const { child } of processes) child.kill('SIGUSR2');
      await Promise.all(processes.map((running) => running.waitForLine(new RegExp(`^ahead by ${ms} ms$`))));
    },
    async stop() {
      await Promise.all(processes.map((running) => running.stop()));
      await demo.stop();
    },
  };
}

/** What counts until a moment counts until so much sooner. */
const PASS_TIME = `
  update rate_window set
    ends = array(select moment - $1 * interval '1 ms' from unnest(ends) with ordinality as ended (moment, nth) order by nth),
    lapses_at = lapses_at - $1 * interval '1 ms'`;

async function untilServed(url: string): Promise<void> {
  await eventually(async () => {
    const response = await fetch(`${url}/readyz`);
    if (response.status !== 200) throw new Error(await response.text());
  });
}
