import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '@lending/runtime';
import { type Heard, type HeardEvent, hear } from '@lending/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ReadDeps } from '#reads/read-deps.ts';
import { LIVE_SCHEMAS, type LiveKind } from '#records/live-fields.ts';
import { streamRoutes } from '../../live/stream-routes.ts';
import { createLiveWorld, deposit, type Instance, type LiveWorld } from '../../live/testing/live-world.ts';
import { addErrorHandlers } from '../../rest/error-handlers.ts';
import { ACCOUNT, LIQUIDATOR, WALLET } from '../../testing/account-rows.ts';
import { SOL_BANK } from '../../testing/bank-row.ts';
import { addVisitors } from '../../visitors/add-visitors.ts';
import { graphqlRoutes } from '../graphql-routes.ts';
import { asRecord, selectionOf } from '../testing/ask.ts';

let app: FastifyInstance | undefined;
let heard: Heard[] = [];

afterEach(async () => {
  for (const one of heard) one.leave();
  heard = [];
  vi.useRealTimers();
  await app?.close();
});

/** Both doors in front of one hub, on a socket. */
async function serve({ hub }: Instance): Promise<string> {
  const logger = createLogger({ level: 'silent', name: 'test' });
  app = fastify();
  addVisitors(app);
  app.setSerializerCompiler(serializerCompiler);
  addErrorHandlers(app, { logger, bodyLimitBytes: 10_000 });
  await app.register(streamRoutes, { hub, stallMs: 30_000, logger });
  // Subscriptions read nothing but the hub.
  await app.register(graphqlRoutes, { reads: {} as ReadDeps, live: hub, logger });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

async function subscribe(base: string, field: string, headers = { accept: 'text/event-stream' }): Promise<Heard> {
  const query = encodeURIComponent(`subscription { ${field} }`);
  const one = await hear(`${base}/graphql?query=${query}`, headers);
  heard.push(one);
  return one;
}

async function listen(base: string, query: string): Promise<Heard> {
  const one = await hear(`${base}/v1/stream?${query}`);
  heard.push(one);
  return one;
}

/** What a subscription told, under the names of the other door; every answer must be whole. */
async function take(stream: Heard, field: string, count: number): Promise<unknown[]> {
  const events = await stream.take(count);
  return events.map(({ event, data }) => {
    expect(event).toBe('next');
    expect(data).toEqual({ data: expect.anything() });
    return asRecord((data as { data: Record<string, unknown> }).data[field]);
  });
}

const openOf = async ({ metrics }: Instance): Promise<number> =>
  Number(/^live_stream_open (\d+)/m.exec(await metrics.render())?.[1]);

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error('still not so after 60 s');
    await pause(10);
  }
}

interface Told {
  readonly kind: LiveKind;
  readonly field: string;
  readonly args: string;
  readonly stream: string;
  readonly change: (world: LiveWorld) => void;
  /** At once, and after the change. */
  readonly counts: readonly [number, number];
}

const closes = (world: LiveWorld): void => {
  world.banks = world.banks.map((row) => ({
    ...row,
    operational_state: 'ReduceOnly',
    slot: row.slot + 10n,
    sample_slot: (row.sample_slot ?? 0n) + 10n,
    sample_time: new Date((row.sample_time?.getTime() ?? 0) + 4_000),
  }));
  world.setSolPrice('150');
};

const TOLD: readonly Told[] = [
  { kind: 'rate', field: 'rateSampled', args: '', stream: 'rates=banks', change: closes, counts: [2, 2] },
  {
    kind: 'rate',
    field: 'rateSampled',
    args: `(addresses: ["${SOL_BANK}"])`,
    stream: `rates=${SOL_BANK}`,
    change: closes,
    counts: [1, 1],
  },
  { kind: 'bank', field: 'bankChanged', args: '', stream: 'banks=all', change: closes, counts: [2, 2] },
  {
    kind: 'health',
    field: 'healthChanged',
    args: `(accounts: ["${ACCOUNT}"])`,
    stream: `health=${ACCOUNT}`,
    change: (world) => world.setSolPrice('68'),
    counts: [1, 1],
  },
  {
    kind: 'activity',
    field: 'activityRecorded',
    args: `(addresses: ["${WALLET}"])`,
    stream: `activity=${WALLET}`,
    change: (world) => world.act(deposit(400_002_000n, 'one'), deposit(400_002_001n, 'two')),
    counts: [0, 2],
  },
];

describe('subscriptions', () => {
  it.each(TOLD)('$field $args tells what the stream tells', async ({ kind, field, args, stream, change, counts }) => {
    const world = createLiveWorld();
    const base = await serve(world.instance());
    const selected = await subscribe(base, `${field}${args} ${selectionOf(LIVE_SCHEMAS[kind])}`);
    expect(selected.response.headers.get('content-type')).toContain('text/event-stream');
    const other = await listen(base, stream);
    for (const [step, count] of counts.entries()) {
      if (step === 1) change(world);
      const expected = await other.take(count);
      expect(expected).toHaveLength(count);
      expect(await take(selected, field, count)).toEqual(expected.map(({ data }) => data));
    }
    expect(selected.waiting()).toBe(0);
  });

  it('take a place each, as streams do', async () => {
    const instance = createLiveWorld().instance();
    const base = await serve(instance);
    await subscribe(base, 'rateSampled { slot }');
    await subscribe(base, 'bankChanged { changed }');
    await listen(base, 'rates=all');
    await until(async () => (await openOf(instance)) === 3);
  });

  it.each([
    ['no address', 'healthChanged(accounts: []) { account }', 'INVALID_ARGUMENT', 'accounts'],
    ['no bank', 'rateSampled(addresses: []) { slot }', 'INVALID_ARGUMENT', 'addresses'],
    ['what is no address', 'activityRecorded(addresses: ["x"]) { id }', 'INVALID_ARGUMENT', 'addresses'],
    ['an unknown field', 'rateSampled { colour }', 'INVALID_ARGUMENT', 'colour'],
    ['an unknown bank', `bankChanged(addresses: ["${LIQUIDATOR}"]) { changed }`, 'BANK_NOT_FOUND', undefined],
    ['nobody’s health', `healthChanged(accounts: ["${LIQUIDATOR}"]) { account }`, 'ACCOUNT_NOT_FOUND', undefined],
  ])('of %s are one error with a code', async (_name, field, code, named) => {
    const instance = createLiveWorld().instance();
    const base = await serve(instance);
    const stream = await subscribe(base, field);
    await stream.ended;
    const events = (await stream.take(5, 0)).filter(({ event }) => event === 'next');
    expect(events).toHaveLength(1);
    const { errors } = (events[0] as HeardEvent).data as { errors: { extensions: Record<string, unknown> }[] };
    expect(errors).toHaveLength(1);
    expect(errors[0]?.extensions).toMatchObject({
      code,
      requestId: expect.any(String),
      ...(named !== undefined && { details: { field: named } }),
    });
    expect(await openOf(instance)).toBe(0);
  });

  it('that cannot be served say so, within the limits of the stream', async () => {
    const instance = createLiveWorld().instance({ mostPerClient: 2 });
    const base = await serve(instance);
    await listen(base, 'rates=all');
    const second = await subscribe(base, 'rateSampled { slot }');
    expect((await second.take(1)).length).toBe(1);
    const third = await subscribe(base, 'bankChanged { changed }');
    await third.ended;
    const [refused] = await third.take(1, 0);
    expect(refused?.data).toMatchObject({
      errors: [
        { extensions: { code: 'RATE_LIMITED', details: { scope: 'streams_per_client', limit: 2 }, retryAfterS: 10 } },
      ],
    });
    expect((await listen(base, 'rates=all')).response.status).toBe(429);
    second.leave();
    await until(async () => (await openOf(instance)) === 1);
    expect((await (await subscribe(base, 'bankChanged { changed }')).take(1)).length).toBe(1);
  });

  it.each([
    ['while nothing happens', `activityRecorded(addresses: ["${WALLET}"]) { id }`, 0],
    ['after the first events', 'rateSampled { slot }', 2],
  ])('end when their client leaves %s', async (_name, field, count) => {
    const instance = createLiveWorld().instance();
    const base = await serve(instance);
    const stream = await subscribe(base, field);
    expect(await stream.take(count)).toHaveLength(count);
    await until(async () => (await openOf(instance)) === 1);
    stream.leave();
    await until(async () => (await openOf(instance)) === 0);
    expect(await instance.metrics.render()).toMatch(/live_stream_close_total\{reason="client"\} 1/);
  });

  it('end with the hub', async () => {
    const instance = createLiveWorld().instance();
    const base = await serve(instance);
    const stream = await subscribe(base, 'rateSampled { slot }');
    await stream.take(2);
    await instance.hub.close();
    await stream.ended;
    expect(await openOf(instance)).toBe(0);
    expect((await stream.take(1, 0)).filter(({ event }) => event === 'next')).toEqual([]);
  });

  it('go on over keep-alives', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const world = createLiveWorld();
    const base = await serve(world.instance());
    const stream = await subscribe(base, `activityRecorded(addresses: ["${WALLET}"]) { id }`);
    await until(async () => stream.comments.length > 0);
    const before = stream.comments.length;
    vi.advanceTimersByTime(60_000);
    await until(async () => stream.comments.length >= before + 4);
    world.act(deposit(400_002_000n, 'one'));
    expect(await take(stream, 'activityRecorded', 1)).toEqual([{ id: `${'one'.padEnd(88, '1')}:2` }]);
  });
});
