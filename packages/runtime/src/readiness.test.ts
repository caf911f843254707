import { LendingError } from '@lending/errors';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { exposeConnections } from './expose-connections.ts';
import { exposeReadiness } from './expose-readiness.ts';
import type { Logger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { type ProbeServer, startProbeServer } from './probe-server.ts';
import { type ComponentStatus, createReadiness } from './readiness.ts';
import { waitUntilReady } from './wait-until-ready.ts';

describe('createReadiness', () => {
  it('is not ready without parts, nor while one is starting', () => {
    const readiness = createReadiness();
    expect(readiness.getStatus()).toEqual({ ready: false, components: [] });
    readiness.component('chain').ready();
    readiness.component('store');
    expect(readiness.getStatus()).toMatchObject({
      ready: false,
      components: [
        { name: 'chain', ready: true, reason: null },
        { name: 'store', ready: false, reason: 'starting' },
      ],
    });
  });

  it('is ready when all parts are, and says why when one is not any more', () => {
    const readiness = createReadiness();
    const chain = readiness.component('chain');
    chain.ready();
    expect(readiness.getStatus().ready).toBe(true);
    chain.notReady('No RPC node answers');
    expect(readiness.getStatus()).toMatchObject({ ready: false, components: [{ reason: 'No RPC node answers' }] });
  });

  it('keeps the time a state began, through repetitions and new reasons', () => {
    let seconds = 0;
    const readiness = createReadiness({ now: () => new Date(1000 * ++seconds) });
    const chain = readiness.component('chain');
    const since = () => readiness.getStatus().components[0]?.since.getTime();
    const started = since();
    chain.notReady('another reason');
    expect(since()).toBe(started);
    chain.ready();
    const readySince = since();
    expect(readySince).toBeGreaterThan(started ?? 0);
    chain.ready();
    expect(since()).toBe(readySince);
  });

  it('tells changes, and only changes', () => {
    const changes: ComponentStatus[] = [];
    const chain = createReadiness({ onChange: (status) => changes.push(status) }).component('chain');
    chain.ready();
    chain.ready();
    chain.notReady('down');
    chain.notReady('down');
    chain.notReady('slow');
    expect(changes.map(({ reason }) => reason)).toEqual([null, 'down', 'slow']);
  });

  it('gives the same part for the same name', () => {
    const readiness = createReadiness();
    readiness.component('bus').ready();
    readiness.component('bus');
    expect(readiness.getStatus().ready).toBe(true);
  });
});

describe('exposeReadiness', () => {
  it('tells of every part whether it works at the moment of asking', async () => {
    const metrics = createMetrics();
    const readiness = createReadiness();
    exposeReadiness(readiness, metrics);
    const database = readiness.component('database');
    readiness.component('p0').ready();
    expect(await metrics.render()).toContain('service_component_ready{component="database"} 0');
    database.ready();
    const later = await metrics.render();
    expect(later).toContain('service_component_ready{component="database"} 1');
    expect(later).toContain('service_component_ready{component="p0"} 1');
  });

  it('tells with which code a part fails, while it does', async () => {
    const metrics = createMetrics();
    const readiness = createReadiness();
    exposeReadiness(readiness, metrics);
    const projector = readiness.component('projector');
    expect(await metrics.render()).not.toContain('service_component_fail{');
    projector.notReady('RUNTIME__DISK_EXCEEDED: The disk is full');
    const full = 'service_component_fail{component="projector",code="RUNTIME__DISK_EXCEEDED"} 1';
    expect(await metrics.render()).toContain(full);
    projector.ready();
    expect(await metrics.render()).not.toContain('service_component_fail{');
  });
});

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

describe('startProbeServer', () => {
  let server: ProbeServer | undefined;
  afterEach(() => server?.close());

  it('answers 503 with the reasons until every part is ready, then 200', async () => {
    const readiness = createReadiness();
    const component = readiness.component('chain');
    server = await startProbeServer({ host: '127.0.0.1', port: 0, readiness, metrics: createMetrics() });
    component.notReady('No RPC node answers');
    const before = await fetch(`${server.url}/readyz`);
    expect([before.status, await before.json()]).toMatchObject([
      503,
      { components: [{ reason: 'No RPC node answers' }] },
    ]);
    component.ready();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it('exposes metrics and says that it is alive', async () => {
    const metrics = createMetrics();
    metrics.counter({ name: 'test.thing.count', help: 'Things' }).inc(3);
    server = await startProbeServer({ host: '127.0.0.1', port: 0, readiness: createReadiness(), metrics });
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('test_thing_count_total 3');
    const health = await fetch(`${server.url}/healthz`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'alive' }]);
    expect((await fetch(`${server.url}/else`)).status).toBe(404);
  });

  it('names PROBE_HOST when it is not this machine', async () => {
    const options = { host: '192.0.2.1', port: 0, readiness: createReadiness(), metrics: createMetrics() };
    await expect(startProbeServer(options)).rejects.toMatchObject({
      code: 'CONFIG__INVALID',
      message: expect.stringContaining('PROBE_HOST is "192.0.2.1"'),
    });
  });

  it('names a port that is taken', async () => {
    const options = { host: '127.0.0.1', readiness: createReadiness(), metrics: createMetrics() };
    server = await startProbeServer({ ...options, port: 0 });
    const port = Number(new URL(server.url).port);
    await expect(startProbeServer({ ...options, port })).rejects.toMatchObject({
      code: 'RUNTIME__PORT_UNAVAILABLE',
      message: expect.stringContaining(String(port)),
    });
  });
});

describe('exposeConnections', () => {
  it('tells of each pool what its connections do now', async () => {
    const metrics = createMetrics();
    let busy = 1;
    exposeConnections(metrics, {
      api: () => ({ most: 5, busy, idle: 2, waiting: 0 }),
      services: () => ({ most: 16, busy: 16, idle: 0, waiting: 7 }),
    });
    busy = 3;
    const text = await metrics.render();
    expect(text).toContain('store_connection_count{pool="api",state="busy"} 3');
    expect(text).toContain('store_connection_count{pool="services",state="waiting"} 7');
    expect(text).toContain('store_connection_most{pool="services"} 16');
  });
});
