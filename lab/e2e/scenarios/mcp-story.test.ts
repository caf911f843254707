import { rm } from 'node:fs/promises';
import { tellStory } from '@lending/examples';
import { createDataDir, type RunningProcess, startEmbedded } from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chainUrlOf } from '../src/chain-url.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';
import { askOverMcp } from '../src/mcp-story/ask-over-mcp.ts';
import { connectLegacy, connectModern } from '../src/mcp-story/mcp-callers.ts';

/** One client of each generation, with the limits of the specification: what is refused is asked again when it may be. */
const STORY_MS = 240_000;

const GENERATIONS = [
  ['v1', connectLegacy, '2025-11-25'],
  ['v2', connectModern, '2026-07-28'],
] as const;

describe('the story of examples/ through /mcp', { timeout: STORY_MS }, () => {
  let dataDir: string;
  let app: RunningProcess;

  beforeAll(async () => {
    dataDir = await createDataDir('mcp-story');
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

  it.concurrent.each(GENERATIONS)(
    '[mcp-story] lands from first to last with a client of the %s generation',
    async (_name, connect, revision) => {
      const rpcUrl = await chainUrlOf(app);
      const caller = await connect(new URL(`${app.baseUrl}/mcp`));
      const printed: string[] = [];
      const steps = await tellStory({
        service: askOverMcp(caller),
        config: { serviceUrl: app.baseUrl, rpcUrl, blockEngineUrl: rpcUrl, keyFile: undefined },
        wallet: null,
        print: (line) => printed.push(line),
      });
      await caller.close();
      expect(caller.revision).toBe(revision);
      expect(caller.inputSchemas.size).toBe(15);
      expect(steps.map(({ action }) => action)).toEqual([
        ...['create-account', 'deposit', 'borrow', 'repay', 'withdraw'],
        ...['loop', 'close-position', 'withdraw'],
      ]);
      expect(new Set(steps.map(({ signature }) => signature)).size).toBe(8);
      expect(steps.map(({ positions }) => positions.map((one) => one.replace(/ \S+ /, ' ')))).toEqual([
        [],
        ['lend SOL'],
        ['lend SOL', 'borrow USDC'],
        ['lend SOL'],
        [],
        ['lend SOL', 'borrow USDC'],
        ['lend SOL'],
        [],
      ]);
      expect(printed.filter((line) => line.includes('what moved is what was promised'))).toHaveLength(8);
    },
  );
});
