import { describe, expect, it } from 'vitest';
import { type ComponentStatus, createReadiness } from './readiness.ts';

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
