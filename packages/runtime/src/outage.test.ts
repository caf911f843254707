import { once } from 'node:events';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { LendingError } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import { createRecordingLogger } from '#testing/recording-logger.ts';
import type { LogFields, Logger } from './logger.ts';
import { createOutage } from './outage.ts';
import { quietOutages } from './quiet-outages.ts';
import { createReadiness } from './readiness.ts';
import { retryWithJitter } from './retry.ts';
import { createSourceBoard } from './source-board.ts';
import { watchedFetch } from './watched-fetch.ts';
import { withinMs } from './within.ts';

describe('createOutage', () => {
  it('says once that a part fails and once that it works again', () => {
    const { logger, lines } = createRecordingLogger();
    const readiness = createReadiness();
    const component = readiness.component('bus');
    const outage = createOutage({ component, logger, failEvent: 'bus.batch.fail', resumeEvent: 'bus.batch.resume' });
    const error = new LendingError('BUS__UNAVAILABLE', { message: 'broker away', cause: new Error('ECONNREFUSED') });
    outage.failed(error);
    outage.failed(error);
    expect(readiness.getStatus().components[0]?.reason).toBe('BUS__UNAVAILABLE: broker away');
    outage.recovered();
    outage.recovered();
    expect(lines).toEqual(['warn bus.batch.fail', 'info bus.batch.resume']);
    expect(readiness.getStatus().ready).toBe(true);
    outage.failed(error);
    expect(lines).toHaveLength(3);
  });

  it('says a failure of another kind in the same outage', () => {
    const { logger, lines } = createRecordingLogger();
    const component = createReadiness().component('bus');
    const outage = createOutage({ component, logger, failEvent: 'bus.batch.fail', resumeEvent: 'bus.batch.resume' });
    outage.failed(new LendingError('BUS__UNAVAILABLE'));
    outage.failed(new LendingError('RUNTIME__DISK_EXCEEDED'));
    expect(lines).toEqual(['warn bus.batch.fail', 'warn bus.batch.fail']);
  });

  it('leaves an RPC node that does not answer to the endpoint log', () => {
    const { logger, lines } = createRecordingLogger();
    const component = createReadiness().component('chain');
    const outage = createOutage({
      component,
      logger,
      failEvent: 'rate.sample.fail',
      resumeEvent: 'rate.sample.resume',
    });
    outage.failed(new LendingError('CHAIN__RPC_UNAVAILABLE'));
    outage.recovered();
    expect(lines).toEqual(['debug rate.sample.fail', 'debug rate.sample.resume']);
    outage.failed(new LendingError('CHAIN__RPC_UNAVAILABLE'));
    outage.failed(new LendingError('BUS__UNAVAILABLE'));
    outage.recovered();
    expect(lines.slice(2)).toEqual(['debug rate.sample.fail', 'warn rate.sample.fail', 'info rate.sample.resume']);
  });
});

function collect() {
  const lines: (readonly [string, string, LogFields | undefined])[] = [];
  const at = (level: string) => (event: string, fields?: LogFields) => void lines.push([level, event, fields]);
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  };
  return { logger, lines };
}

describe('quietOutages', () => {
  it('writes what passes by itself once a minute, of each code, and how much was kept back', () => {
    const { logger, lines } = collect();
    let nowMs = 0;
    const quiet = quietOutages(logger, () => nowMs);
    const [node, tables] = [new LendingError('CHAIN__RPC_UNAVAILABLE'), new LendingError('STORE__UNAVAILABLE')];
    for (const error of [node, node, tables, node]) quiet.error('rest.request.fail', { error });
    nowMs = 61_000;
    quiet.error('rest.request.fail', { error: node });
    expect(lines.filter(([level]) => level === 'error').map(([, , fields]) => fields)).toEqual([
      { error: node },
      { error: tables },
      { error: node, kept_back: 2 },
    ]);
    expect(lines.filter(([level]) => level === 'debug')).toHaveLength(2);
  });

  it('writes each time what does not pass', () => {
    const { logger, lines } = collect();
    const quiet = quietOutages(logger);
    const error = new LendingError('INTERNAL__UNEXPECTED');
    for (let count = 0; count < 3; count += 1) quiet.error('rest.request.fail', { error });
    for (let count = 0; count < 2; count += 1) quiet.error('rest.request.fail', { error: new TypeError('a bug') });
    quiet.info('api.server.listen', {});
    expect(lines.map(([level]) => level)).toEqual(['error', 'error', 'error', 'error', 'error', 'info']);
  });

  it('tells the reasons of warnings apart', () => {
    const { logger, lines } = collect();
    const quiet = quietOutages(logger);
    for (const reason of ['timed_out', 'timed_out', 'unreachable'])
      quiet.warn('swap.offer.notice', { aggregator: 'jupiter', reason });
    quiet.warn('swap.offer.notice', { aggregator: 'dflow', reason: 'timed_out' });
    expect(lines.filter(([level]) => level === 'warn')).toHaveLength(3);
  });
});

const FAST = { minDelayMs: 1, maxDelayMs: 4 };

function failing(times: number, error: unknown = new LendingError('STORE__UNAVAILABLE')) {
  let attempts = 0;
  return {
    attempts: () => attempts,
    task: async () => {
      attempts += 1;
      if (attempts <= times) throw error;
      return 'done';
    },
  };
}

describe('retryWithJitter', () => {
  it('goes on until the task succeeds, telling each failure', async () => {
    const { task } = failing(15);
    const numbers: number[] = [];
    expect(await retryWithJitter(task, { ...FAST, onRetry: (_, { number }) => numbers.push(number) })).toBe('done');
    expect(numbers).toHaveLength(15);
    expect(numbers.at(-1)).toBe(15);
  });

  it('does not repeat what waiting cannot mend', async () => {
    const { task, attempts } = failing(9, new LendingError('CONFIG__INVALID'));
    await expect(retryWithJitter(task, FAST)).rejects.toMatchObject({ code: 'CONFIG__INVALID' });
    expect(attempts()).toBe(1);
  });

  it('asks the caller which errors pass when told how', async () => {
    const { task } = failing(2, new Error('flaky'));
    expect(await retryWithJitter(task, { ...FAST, isRetryable: () => true })).toBe('done');
  });

  it('throws the last error when the retries are used up', async () => {
    const { task, attempts } = failing(9);
    await expect(retryWithJitter(task, { ...FAST, retries: 2 })).rejects.toMatchObject({ code: 'STORE__UNAVAILABLE' });
    expect(attempts()).toBe(3);
  });

  it('stops waiting when the signal aborts, and does not start when it already is', async () => {
    const { task, attempts } = failing(9);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('stopping')), 20);
    await expect(
      retryWithJitter(task, { minDelayMs: 60_000, maxDelayMs: 60_000, signal: controller.signal }),
    ).rejects.toThrow('stopping');
    expect(attempts()).toBe(1);
    await expect(retryWithJitter(task, { signal: controller.signal })).rejects.toThrow('stopping');
    expect(attempts()).toBe(1);
  });

  it('does not wait for the attempt at hand when the signal aborts', async () => {
    const controller = new AbortController();
    const waiting = retryWithJitter(() => new Promise<never>(() => undefined), { signal: controller.signal });
    controller.abort(new Error('stopping'));
    await expect(waiting).rejects.toThrow('stopping');
  });
});

describe('withinMs', () => {
  it('answers what the task does, and throws what it throws', async () => {
    expect(await withinMs(5_000, Promise.resolve(7))).toBe(7);
    await expect(withinMs(5_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('gives up what takes longer, and bears that it fails later', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const { promise, reject } = Promise.withResolvers<never>();
    await expect(withinMs(10, promise)).rejects.toThrow('It took more than 10 ms');
    reject(new Error('too late'));
    await sleep(10);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('hears what came while the process was busy', async () => {
    // From here timers are next, and what arrived comes after them.
    await turn();
    const { port1, port2 } = new MessageChannel();
    const heard = withinMs(10, once(port1, 'message'));
    port2.postMessage('answer');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    expect(await heard).toEqual(['answer']);
    port1.close();
  });

  it('leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    await withinMs(60_000, Promise.resolve());
    expect(timers()).toBeLessThanOrEqual(before);
  });
});

function open(answer: (init?: RequestInit) => Response | Promise<Response>) {
  const board = createSourceBoard();
  const ask = watchedFetch(board, async (_input, init) => answer(init));
  return { ask, state: () => board.list().map(({ host, state, error }) => [host, state, error]) };
}

describe('watchedFetch', () => {
  it.each([
    [200, 'serving', null],
    [404, 'serving', null],
    [429, 'resting', 'HTTP 429'],
    [503, 'resting', 'HTTP 503'],
  ])('keeps of an answer %i that its host is %s', async (status, state, error) => {
    const { ask, state: kept } = open(() => new Response(null, { status }));
    expect((await ask('https://quotes.example/v1?key=secret')).status).toBe(status);
    expect(kept()).toEqual([['quotes.example', state, error]]);
  });

  it('keeps that a host did not answer, in time or at all', async () => {
    const dead = open(() => Promise.reject(new TypeError('fetch failed')));
    await expect(dead.ask('https://quotes.example/')).rejects.toThrow('fetch failed');
    expect(dead.state()).toEqual([['quotes.example', 'resting', 'unavailable']]);
    const slow = open((init) => new Promise((_, reject) => init?.signal?.addEventListener('abort', reject)));
    await expect(slow.ask('https://quotes.example/', { signal: AbortSignal.timeout(5) })).rejects.toBeDefined();
    expect(slow.state()).toEqual([['quotes.example', 'resting', 'timed-out']]);
  });

  it('says nothing of a host whose answer the caller did not wait for', async () => {
    const left = open((init) => {
      init?.signal?.throwIfAborted();
      return new Response();
    });
    await expect(left.ask('https://quotes.example/', { signal: AbortSignal.abort() })).rejects.toBeDefined();
    expect(left.state()).toEqual([]);
  });
});
