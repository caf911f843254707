import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDataDir, ROOT, type RunningProcess, startEmbedded } from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chainUrlOf } from '../src/chain-url.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';

const run = promisify(execFile);

describe('examples/story.ts', () => {
  let dataDir: string;
  let app: RunningProcess;

  beforeAll(async () => {
    dataDir = await createDataDir('story');
    app = await startEmbedded({ dataDir });
    await eventually(async () => {
      const { banks } = await getJson<{ readonly banks: readonly unknown[] }>(
        `${app.baseUrl}/v1/banks?symbol=SOL&venue=P0`,
      );
      expect(banks.length).toBeGreaterThan(0);
    });
  });

  afterAll(async () => {
    await app?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('[builders-story] creates, deposits, borrows, repays, withdraws, loops and closes, and the index shows each step', async () => {
    const rpcUrl = await chainUrlOf(app);
    const env = { ...process.env, SERVICE_URL: app.baseUrl, RPC_URL: rpcUrl };
    const { stdout } = await run(process.execPath, ['story.ts'], { cwd: join(ROOT, 'examples'), env });
    const shown = stdout.split('\n').filter((line) => line.includes('the index shows:'));
    expect(shown).toHaveLength(8);
    const [created, deposited, borrowed, repaid, withdrawn, looped, closed, emptied] = shown;
    expect(created).toContain('no balance');
    expect(amountIn(deposited, 'lend', 'SOL')).toBeCloseTo(5, 4);
    expect(amountIn(borrowed, 'lend', 'SOL')).toBeCloseTo(5, 4);
    expect(amountIn(borrowed, 'borrow', 'USDC')).toBeCloseTo(100, 3);
    expect(repaid).toMatch(/: lend \S+ SOL; healthy, health factor 1$/);
    expect(withdrawn).toContain('no balance');
    expect(amountIn(looped, 'lend', 'SOL')).toBeCloseTo(4, 4);
    expect(amountIn(looped, 'borrow', 'USDC')).toBeGreaterThan(0);
    expect(closed).toMatch(/: lend \S+ SOL; healthy, health factor 1$/);
    expect(amountIn(closed, 'lend', 'SOL')).toBeGreaterThan(1.9);
    expect(emptied).toContain('no balance');
    expect(stdout.match(/verified: what moved is what was promised/g)).toHaveLength(8);
    expect(stdout).toContain('Done: created, deposited, borrowed, repaid, withdrawn, looped, closed');
  });
});

/** Not to the base unit: the index measures what a share is worth on a beat. */
function amountIn(line: string | undefined, side: string, symbol: string): number {
  return Number(new RegExp(`${side} (\\S+) ${symbol}`).exec(line ?? '')?.[1]);
}
