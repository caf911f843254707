import { createLogger } from '@lending/runtime';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { bankRow, CHAIN_TIME_MS, SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { createTestApp, fakeStore, type TestAppOptions } from '../testing/test-app.ts';
import { type Heard, hear } from './testing/hear.ts';

let app: FastifyInstance;
let heard: Heard[] = [];

afterEach(async () => {
  for (const one of heard) one.leave();
  heard = [];
  await app.close();
});

async function serve(options: Partial<TestAppOptions> = {}): Promise<string> {
  const rows = [bankRow(), bankRow({ address: SOL_BANK, symbol: 'SOL' })];
  app = await createTestApp({
    store: fakeStore(rows),
    logger: createLogger({ level: 'silent', name: 'test' }),
    ...options,
  });
  return app.listen({ host: '127.0.0.1', port: 0 });
}

async function listen(url: string, headers: Record<string, string> = {}): Promise<Heard> {
  const one = await hear(url, headers);
  heard.push(one);
  return one;
}

describe('GET /v1/stream', () => {
  it('begins with the rates there are', async () => {
    const base = await serve();
    const stream = await listen(`${base}/v1/stream?rates=all`);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    const events = await stream.take(2);
    expect(events.map(({ event, data }) => [event, (data as { address: string }).address])).toEqual([
      ['rate', USDC_BANK],
      ['rate', SOL_BANK],
    ]);
    expect(events[0]?.data).toMatchObject({ of: 'bank', venue: 'P0', slot: 400_001_000 });
    expect(stream.retryMs()).toBe(2_000);
  });

  it('tells a bank that was sampled again, and only that', async () => {
    let rows = [bankRow(), bankRow({ address: SOL_BANK, symbol: 'SOL' })];
    const clock = { nowMs: CHAIN_TIME_MS };
    const base = await serve({ store: fakeStore([], { listBanks: async () => rows }), now: () => clock.nowMs });
    const stream = await listen(`${base}/v1/stream?rates=banks`);
    await stream.take(2);
    rows = [bankRow(), bankRow({ address: SOL_BANK, symbol: 'SOL', sample_slot: 400_001_010n, deposit_apr: '0.2' })];
    clock.nowMs += 5_000;
    const [event] = await stream.take(1, 5_000);
    expect(event?.data).toMatchObject({ address: SOL_BANK, slot: 400_001_010 });
    expect(stream.waiting()).toBe(0);
  });

  it.each([
    ['', 'Nothing is asked for'],
    ['?rates=', 'Nothing is asked for'],
    ['?rates=none', 'rates has a value that is not allowed'],
    ['?rates=all&rates=all', 'rates is given twice'],
    ['?prices=all', 'Unknown field "prices"'],
    ['?rates=all&last_event_id=abc', 'last_event_id is not one of this service'],
  ])('refuses %s as any other call', async (query, message) => {
    await serve();
    const reply = await app.inject(`/v1/stream${query}`);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ code: 'INVALID_ARGUMENT', error: expect.stringContaining(message) });
  });
});
