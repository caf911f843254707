import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { CHECKS_NEED } from '../src/infra/compose-project.ts';
import { type RunningProxy, type StandIn, startProxy, startStandIn } from '../src/infra/running-proxy.ts';

const canRun = spawnSync('haproxy', ['-v']).status === 0 || process.env.CI === 'true';

describe.skipIf(!canRun)(canRun ? 'infra/proxy' : `infra/proxy (${CHECKS_NEED})`, () => {
  const opened = useOpened();
  let apis: StandIn[] = [];
  let proxy: RunningProxy;

  beforeAll(async () => {
    apis = await Promise.all(['one', 'two'].map(async (name) => opened.keep(await startStandIn(name))));
    proxy = opened.keep(await startProxy(apis));
    await untilAnswered(['one', 'two']);
  });

  /** Resolves once ten requests are answered by these apis, and by no other. */
  async function untilAnswered(names: readonly string[]): Promise<void> {
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => proxy.ask('/v1/banks')));
      expect([...new Set(answers.map(({ from }) => from))].sort()).toEqual([...names].sort());
    });
  }

  it('[proxy-valid] is a configuration of haproxy’s own', () => {
    expect(proxy.checked).toEqual([0, '']);
  });

  it('[proxy-callers] tells an api who asks, and by what, whatever the request claims', async () => {
    const { heard } = await proxy.ask('/v1/banks', { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'http' });
    expect(heard['x-forwarded-for']).toBe('127.0.0.1');
    expect(heard['x-forwarded-proto']).toBe('https');
  });

  it('[proxy-callers] shows nobody the metrics', async () => {
    for (const spelled of ['/metrics', '/metrics?x=1', '/metrics/', '/%6Detrics', '/%6detrics%2F'])
      expect([spelled, await proxy.ask(spelled)]).toMatchObject([spelled, { status: 404, from: null }]);
    expect(await proxy.ask('/v1/banks')).toMatchObject({ status: 200 });
  });

  it('[proxy-spares] sends nothing more to an api that says it is about to stop, and all to one that none is better than', async () => {
    const [one, two] = apis as [StandIn, StandIn];
    one.isReady = false;
    await untilAnswered(['two']);
    two.isReady = false;
    // What they say is better than what the proxy could.
    await untilAnswered(['one', 'two']);
    one.isReady = true;
    await untilAnswered(['one']);
    two.isReady = true;
    await untilAnswered(['one', 'two']);
  });

  it('[proxy-spares] lets no request fail where an api is gone without a word', async () => {
    await apis[0]?.stop();
    const answers = [];
    for (let count = 0; count < 20; count += 1) answers.push(await proxy.ask('/v1/banks'));
    expect(answers.map(({ status, from }) => [status, from])).toEqual(answers.map(() => [200, 'two']));
  });
});
