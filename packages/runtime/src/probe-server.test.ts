import { afterEach, describe, expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';
import { type ProbeServer, startProbeServer } from './probe-server.ts';
import { createReadiness } from './readiness.ts';

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
