import { LendingError } from '@lending/errors';
import { describe, expect, it, vi } from 'vitest';
import type { Logger } from './logger.ts';
import { createReadiness } from './readiness.ts';
import { waitUntilReady } from './wait-until-ready.ts';

const PATIENCE = { timeout: 120_000, interval: 10 };

function createParts() {
  const lines: [string, unknown][] = [];
  const say = (event: string, fields: unknown) => void lines.push([event, fields]);
  const logger: Logger = { debug: say, info: say, warn: say, error: say, child: () => logger };
  const stopping = new AbortController();
  return { readiness: createReadiness(), logger, lines, stopping, signal: stopping.signal };
}

describe('waitUntilReady', () => {
  it('says what it waits for, and gives what it waited for', async () => {
    const parts = createParts();
    const failure = new LendingError('BUS__UNAVAILABLE');
    const answer = Promise.withResolvers<string>();
    const task = vi.fn(() => answer.promise).mockRejectedValueOnce(failure);
    const waiting = waitUntilReady('Kafka', task, parts);
    await vi.waitFor(() => expect(task).toHaveBeenCalledTimes(2), PATIENCE);
    expect(parts.readiness.getStatus().components).toMatchObject([
      { name: 'Kafka', ready: false, reason: 'Kafka does not answer' },
    ]);
    answer.resolve('bus');
    expect(await waiting).toBe('bus');
    expect(parts.readiness.getStatus().ready).toBe(true);
    expect(parts.lines).toEqual([
      ['process.dependency.wait', { for: 'Kafka', delayMs: expect.any(Number), error: failure }],
    ]);
  });

  it('does not wait for what cannot come', async () => {
    const parts = createParts();
    const failure = new LendingError('CONFIG__INVALID');
    await expect(waitUntilReady('Kafka', () => Promise.reject(failure), parts)).rejects.toBe(failure);
    expect(parts.readiness.getStatus().ready).toBe(false);
    expect(parts.lines).toEqual([]);
  });

  it('throws the last error when it has waited long enough', async () => {
    const parts = createParts();
    const failure = new LendingError('BUS__UNAVAILABLE');
    const waiting = waitUntilReady('Kafka', () => Promise.reject(failure), { ...parts, giveUpAfterMs: 50 });
    await expect(waiting).rejects.toBe(failure);
    expect(parts.lines.length).toBeGreaterThan(0);
    expect(parts.readiness.getStatus().ready).toBe(false);
  });

  it('stops waiting when it is told to', async () => {
    const parts = createParts();
    const waiting = waitUntilReady('Kafka', () => Promise.reject(new LendingError('BUS__UNAVAILABLE')), parts);
    await vi.waitFor(() => expect(parts.lines).toHaveLength(1), PATIENCE);
    parts.stopping.abort(new Error('told to stop'));
    await expect(waiting).rejects.toThrow('told to stop');
  });
});
