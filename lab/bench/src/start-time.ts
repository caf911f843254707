import { spawn } from 'node:child_process';
import { once as onceTold } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDataDir, findFreePort, ROOT } from '@lending/testing';
import { argumentOf, shellEnvironment } from './measure/config.ts';
import { spreadOf } from './measure/statistics.ts';
import { figure, printResult } from './report/result.ts';

/**
 * From `npm start`, the command itself in this clone, which is installed, to the first answer with a bank: on an empty data folder, where the
 * database is made first, and again on what that start left. Prints a JSON line. `--rounds 5` for more than three of each.
 */
const GOAL = { of: 'ours', is: 'atMost', value: 8 } as const;
const ROUNDS = argumentOf('--rounds', 3);
const ASK_AGAIN_MS = 10;
const GIVE_UP_MS = 120_000;
const STOP_MS = 60_000;

const first: number[] = [];
const second: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const dataDir = await createDataDir('bench-start');
  try {
    first.push(await timeStart(dataDir));
    second.push(await timeStart(dataDir));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
const judged = (what: string, seconds: readonly number[]) =>
  figure({ goal: 'start', what, unit: 's', ours: spreadOf(seconds), bound: GOAL });
printResult('npm start to the first served bank', [
  judged('on an empty data folder', first),
  judged('on the data of the start before', second),
]);

/** Seconds until a bank is served; stops what was started before it answers. */
async function timeStart(dataDir: string): Promise<number> {
  const [port, chainPort] = [await findFreePort(), await findFreePort()];
  const from = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    // Of the environment only what a shell needs: settings of whoever measures are not measured.
    env: {
      ...shellEnvironment(),
      DATA_DIR: dataDir,
      API_PORT: `${port}`,
      LOCALNET_PORT: `${chainPort}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      said = `${said}${text}`.slice(-2_000);
    });
  }
  // Not before the last process that could write to them is gone.
  const gone = onceTold(child, 'close');
  try {
    while (!(await servesBank(port))) {
      const isOver = child.exitCode !== null || performance.now() - from > GIVE_UP_MS;
      if (isOver) throw new Error(`npm start served no bank: ${said}`);
      await sleep(ASK_AGAIN_MS);
    }
    return (performance.now() - from) / 1_000;
  } finally {
    child.kill('SIGTERM');
    await Promise.race([gone, sleep(STOP_MS)]);
  }
}

async function servesBank(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v1/banks?limit=1`);
    const { banks = [] } = (await response.json()) as { readonly banks?: readonly unknown[] };
    return response.status === 200 && banks.length > 0;
  } catch {
    return false;
  }
}
