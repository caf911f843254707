import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger, createMetrics } from '@lending/runtime';
import { type Heard, hear } from '@lending/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { afterEach, describe, expect, it } from 'vitest';
import { createRateLimiter } from '../limits/create-rate-limiter.ts';
import { SharedTable } from '../limits/testing/shared-table.ts';
import { addErrorHandlers } from '../rest/error-handlers.ts';
import { ACCOUNT } from '../testing/account-rows.ts';
import { bankRow, CHAIN_TIME_MS, SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { createTestApp, fakeStore, type TestAppOptions } from '../testing/test-app.ts';
import { addVisitors } from '../visitors/add-visitors.ts';
import { type StreamRouteOptions, streamRoutes } from './stream-routes.ts';
import { createLiveWorld, deposit, type Instance } from './testing/live-world.ts';

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

/** The door alone, in front of an instance's hub. */
async function serveHub({ hub }: Instance, options: Partial<StreamRouteOptions> = {}): Promise<string> {
  const logger = createLogger({ level: 'silent', name: 'test' });
  app = fastify();
  addVisitors(app);
  app.setSerializerCompiler(serializerCompiler);
  addErrorHandlers(app, { logger, bodyLimitBytes: 1_000 });
  await app.register(streamRoutes, { hub, stallMs: 30_000, logger, ...options });
  return app.listen({ host: '127.0.0.1', port: 0 });
}

/** Somebody who asks and then reads nothing. */
function askAndNotRead(base: string, query: string): Promise<Socket> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.pause();
      socket.write(`GET /v1/stream?${query} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
      resolve(socket);
    });
    socket.on('error', () => undefined);
  });
}

async function until(isSo: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error(`still not so after ${withinMs} ms`);
    await pause(10);
  }
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

  it('spends one request of /v1 when it opens, and says so before its first event', async () => {
    const limiter = createRateLimiter({
      limits: { mcp: 9, v1: 2, tx: 9, leverage: 9 },
      store: new SharedTable(() => 0),
      logger: createLogger({ level: 'silent', name: 'test' }),
      metrics: createMetrics(),
      now: () => 0,
    });
    const base = await serve({ limiter });
    const headers = { origin: 'https://wallet.example', 'x-request-id': 'mine' };
    const first = await listen(`${base}/v1/stream?rates=all`, headers);
    await first.take(2);
    expect(Object.fromEntries(first.response.headers)).toMatchObject({
      ratelimit: '"v1";r=1;t=60',
      'x-request-id': 'mine',
      'access-control-allow-origin': '*',
    });
    await listen(`${base}/v1/stream?rates=all`);
    const { response, ended } = await listen(`${base}/v1/stream?rates=all`);
    await ended;
    expect([response.status, response.headers.get('ratelimit')]).toEqual([429, '"v1";r=0;t=60']);
    expect((await fetch(`${base}/v1/banks`)).status).toBe(429);
  });

  it('tells a bank that was sampled again, and only that', async () => {
    let rows = [bankRow(), bankRow({ address: SOL_BANK, symbol: 'SOL' })];
    const clock = { nowMs: CHAIN_TIME_MS };
    const base = await serve({ store: fakeStore([], { listBanks: async () => rows }), now: () => clock.nowMs });
    const stream = await listen(`${base}/v1/stream?rates=banks`);
    await stream.take(2);
    rows = [bankRow(), bankRow({ address: SOL_BANK, symbol: 'SOL', sample_slot: 400_001_010n, deposit_apr: '0.2' })];
    clock.nowMs += 5_000;
    const [event] = await stream.take(1);
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

describe('a stream of /v1/stream', () => {
  const shows = (instance: Instance, line: string) => async () => (await instance.metrics.render()).includes(line);

  it('says that it is alive, and how far it came, while nothing happens', async () => {
    const base = await serveHub(createLiveWorld().instance(), { heartbeatMs: 30 });
    const stream = await listen(`${base}/v1/stream?activity=${ACCOUNT}`);
    await until(() => stream.comments.filter((text) => text === 'alive').length >= 3);
    expect(stream.lastId()).toMatch(/^1\./);
    expect(stream.waiting()).toBe(0);
  });

  it.each(['header', 'query'])('goes on at another instance after the id that the %s names', async (way) => {
    const world = createLiveWorld();
    const first = await listen(`${await serveHub(world.instance())}/v1/stream?activity=${ACCOUNT}`);
    await until(() => first.lastId() !== '');
    world.act(deposit(400_001_010n, 'a'));
    const [told] = await first.take(1);
    await app.close();
    world.activity.push(deposit(400_001_011n, 'b'));
    const url = `${await serveHub(world.instance())}/v1/stream?activity=${ACCOUNT}`;
    const id = told?.id ?? '';
    const second =
      way === 'header' ? await listen(url, { 'last-event-id': id }) : await listen(`${url}&last_event_id=${id}`);
    expect((await second.take(1)).map(({ data }) => (data as { slot: number }).slot)).toEqual([400_001_011]);
    expect(await second.take(1, 150)).toEqual([]);
  });

  it('is refused above the limit as JSON that says when to come again', async () => {
    const base = await serveHub(createLiveWorld().instance({ mostPerClient: 1 }));
    await listen(`${base}/v1/stream?rates=banks`);
    const { response, ended } = await listen(`${base}/v1/stream?rates=banks`);
    await ended;
    expect(response.status).toBe(429);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.headers.get('retry-after')).toBe('10');
  });

  it('gives its place back when its reader goes away without a word', async () => {
    const instance = createLiveWorld().instance();
    const base = await serveHub(instance);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => askAndNotRead(base, 'rates=banks&banks=all')));
    await until(shows(instance, 'live_stream_open 20'));
    for (const socket of sockets) socket.resetAndDestroy();
    await until(shows(instance, 'live_stream_open 0'));
    expect(await instance.metrics.render()).toContain('live_stream_close_total{reason="client"} 20');
  });

  it('is closed when its reader takes nothing for too long, and holds no more than a pipe until then', async () => {
    const instance = createLiveWorld().instance();
    const base = await serveHub({ ...instance, hub: endless(instance) }, { stallMs: 300 });
    const socket = await askAndNotRead(base, 'rates=banks');
    await until(shows(instance, 'live_stream_close_total{reason="slow"} 1'));
    await until(shows(instance, 'live_stream_open 0'));
    socket.destroy();
  });

  it('ends at once when the instance stops, and says when to come again', async () => {
    const instance = createLiveWorld().instance();
    const base = await serveHub(instance);
    const stream = await listen(`${base}/v1/stream?rates=banks`);
    await stream.take(2);
    const beganMs = performance.now();
    await instance.hub.close();
    await app.close();
    await stream.ended;
    expect(performance.now() - beganMs).toBeLessThan(10_000);
    expect(stream.comments.at(-1)).toContain('this instance stops');
    expect(stream.retryMs()).toBeGreaterThanOrEqual(200);
    expect(stream.retryMs()).toBeLessThanOrEqual(2_000);
  });

  it('is cut off when the instance stops and its reader takes nothing', async () => {
    const instance = createLiveWorld().instance();
    const base = await serveHub({ ...instance, hub: endless(instance) });
    await askAndNotRead(base, 'rates=banks');
    await until(shows(instance, 'live_stream_open 1'));
    await pause(200);
    const beganMs = performance.now();
    await instance.hub.close();
    await app.close();
    expect(performance.now() - beganMs).toBeLessThan(20_000);
  });
});

/** A hub whose streams always have something to tell. */
function endless({ hub }: Instance): Instance['hub'] {
  return {
    ...hub,
    async follow(question, options) {
      const stream = await hub.follow(question, options);
      return {
        position: stream.position,
        async *[Symbol.asyncIterator]() {
          for await (const event of stream) for (;;) yield event;
        },
      };
    },
  };
}
