import { createLogger, createMetrics } from '@lending/runtime';
import { useDatabase } from '@lending/store/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createRateLimiter } from './create-rate-limiter.ts';
import type { RateLimiter, RateScope } from './rate-limiter.ts';
import { createRateStore } from './rate-store.ts';

const database = useDatabase({ per: 'test' });
const opened: RateLimiter[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((limiter) => limiter.close()));
});

const LIMITS = { mcp: 120, v1: 60, tx: 10, leverage: 4 } as const;

function open(limits: Readonly<Record<RateScope, number>> = LIMITS): RateLimiter {
  const limiter = createRateLimiter({
    limits,
    store: createRateStore(database.db),
    logger: createLogger({ level: 'silent', name: 'test' }),
    metrics: createMetrics(),
  });
  opened.push(limiter);
  return limiter;
}

/** How many of these were accepted, all asked at once, in turns of all processes. */
async function acceptedOf(limiters: readonly RateLimiter[], times: number, scopes: readonly RateScope[]) {
  const asked = Array.from({ length: times }, () => limiters.map((limiter) => limiter.spend('client', scopes, 1)));
  return (await Promise.all(asked.flat())).filter(({ accepted }) => accepted).length;
}

describe('rate limits on real tables', () => {
  it('are one limit at three processes that are asked at once', async () => {
    const limiters = [open(), open(), open()];
    expect(await acceptedOf(limiters, 5, ['v1', 'tx', 'leverage'])).toBe(4);
    expect(await acceptedOf(limiters, 10, ['v1', 'tx'])).toBe(6);
    expect(await acceptedOf(limiters, 60, ['v1'])).toBe(50);
  });

  it('do not wait for a database that does not answer', async () => {
    const limiter = open();
    await limiter.spend('client', ['v1'], 1);
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const locking = database.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('rate_window').selectAll().forUpdate().execute();
      await held;
    });
    const from = performance.now();
    expect(await acceptedOf([limiter], 100, ['v1'])).toBe(59);
    expect(performance.now() - from).toBeLessThan(20_000);
    letGo();
    await locking;
  });

  it('count by themselves until the tables are there', async () => {
    await database.db.schema.dropTable('rate_window').execute();
    expect(await acceptedOf([open()], 100, ['v1'])).toBe(60);
  });
});
