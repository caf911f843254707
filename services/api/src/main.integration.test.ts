import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { useDatabase } from '@lending/store/testing';
import { afterEach, describe, expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, 'main.ts');

interface Run {
  readonly child: ChildProcess;
  output(): string;
  waitFor(pattern: RegExp): Promise<RegExpMatchArray>;
}

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function run(env: Readonly<Record<string, string>>): Run {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, SOLANA_RPC_URL: 'http://127.0.0.1:1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  const waiting: (() => void)[] = [];
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
    for (const check of waiting) check();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  return {
    child,
    output: () => output,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const match = output.match(pattern);
          if (match !== null) resolve(match);
        };
        waiting.push(check);
        child.once('exit', () => reject(new Error(`ended before ${pattern}: ${output}`)));
        check();
      }),
  };
}

describe('the api as a process', () => {
  const database = useDatabase();

  it('listens, answers, and ends cleanly on SIGTERM', async () => {
    const { child, waitFor } = run({ DATABASE_URL: database.connectionString, API_PORT: '0' });
    const [, port] = await waitFor(/"port":(\d+)/);
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('no bank has been projected yet');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('waits for its database and says so', async () => {
    const { waitFor, output } = run({ DATABASE_URL: 'postgres://user:hidden-word@127.0.0.1:1/none', API_PORT: '0' });
    const [, port] = await waitFor(/"port":(\d+)/);
    await waitFor(/store\.migration\.retry/);
    const body = await (await fetch(`http://127.0.0.1:${port}/readyz`)).text();
    expect(body).toContain('schema: the migrations have not run yet');
    expect(output()).not.toContain('hidden-word');
  });

  it('names a wrong setting, its value and what is allowed, and ends', async () => {
    const { child, output } = run({ DATABASE_URL: database.connectionString, API_PORT: 'eighty' });
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(output()).toContain('API_PORT is "eighty"; allowed: a port from 0 (any free one) to 65535');
  });
});
