import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataDir, type RunningProcess, startEmbedded, startProcess } from '@lending/testing';
import { eventually } from '../eventually.ts';
import { READY_LINE, urlOf } from '../services.ts';

/** An api process that load is put on. */
export interface LoadedApi {
  readonly url: string;
  readonly pid: number;
}

/** Api processes over the tables of an `npm start`, which fills them and is itself left alone. */
export interface LoadedService {
  readonly apis: readonly LoadedApi[];
  stop(): Promise<void>;
}

/** Whoever asks from this machine says for whom: so one machine is a thousand clients. */
export function asClient(address: string): Readonly<Record<string, string>> {
  return { 'x-forwarded-for': address };
}

export async function startLoadedService(
  count: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<LoadedService> {
  const dataDir = await createDataDir('load');
  const embedded = await startEmbedded({ dataDir });
  const connectionString = (await readFile(join(dataDir, 'database-url'), 'utf8')).trim();
  const processes = await Promise.all(
    Array.from({ length: count }, () =>
      startProcess({
        entry: 'services/api/src/main.ts',
        readyLine: READY_LINE.api,
        env: {
          DATABASE_URL: connectionString,
          // No read asks the chain, and nothing is built.
          SOLANA_RPC_URL: 'http://127.0.0.1:9',
          CHAIN_SOURCE: 'localnet',
          API_PORT: '0',
          TRUSTED_PROXIES: '127.0.0.1',
          ...settings,
        },
      }),
    ),
  );
  const apis = processes.map((running) => ({
    url: urlOf(running),
    pid: pidOf(running),
  }));
  await Promise.all(apis.map(({ url }) => untilServed(url)));
  return {
    apis,
    async stop() {
      await Promise.all(processes.map((running) => running.stop()));
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function pidOf({ child }: RunningProcess): number {
  if (child.pid === undefined) throw new Error('the process has no id');
  return child.pid;
}

async function untilServed(url: string): Promise<void> {
  await eventually(async () => {
    const response = await fetch(`${url}/readyz`);
    if (response.status !== 200) throw new Error(await response.text());
  }, 60_000);
}
