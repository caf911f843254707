import { describe, expect, it } from 'vitest';
import { createRecordingLogger } from '#testing/recording-logger.ts';
import { busHooks } from './bus-hooks.ts';
import { chainHooks } from './chain-hooks.ts';
import type { Logger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { createSourceBoard } from './source-board.ts';
import { reportSourcesOnBeat } from './source-report.ts';

describe('busHooks', () => {
  it('counts messages set aside by topic, and logs events as they come', async () => {
    const lines: unknown[] = [];
    const at = (level: string) => (event: string, fields: unknown) => void lines.push([level, event, fields]);
    const logger: Logger = {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: () => logger,
    };
    const metrics = createMetrics();
    const { onBuried, onEvent } = busHooks({ logger, metrics });
    onBuried({ topic: 'bank.updated.v1' });
    onBuried({ topic: 'bank.updated.v1' });
    const error = new Error('gone');
    onEvent({ level: 'warn', event: 'bus.broker.lose', facts: { broker: 'a:1' }, error });
    onEvent({ level: 'info', event: 'bus.broker.find', facts: { broker: 'a:1' } });
    expect(await metrics.render()).toContain('bus_message_bury_total{topic="bank.updated.v1"} 2');
    expect(lines).toEqual([
      ['warn', 'bus.broker.lose', { broker: 'a:1', error }],
      ['info', 'bus.broker.find', { broker: 'a:1' }],
    ]);
  });
});

describe('chainHooks', () => {
  it('says once that an endpoint is lost and once that it is back', () => {
    const { logger, lines } = createRecordingLogger();
    const { onEndpointState: log } = chainHooks(logger, createMetrics());
    for (const state of ['open', 'open', 'closed', 'closed', 'open'])
      log({ host: 'a:1', state, reason: 'ECONNREFUSED' });
    expect(lines).toEqual(['warn chain.endpoint.fail', 'info chain.endpoint.resume', 'warn chain.endpoint.fail']);
  });

  it('says that an endpoint lags and that it caught up, and by how much as a metric', async () => {
    const { logger, lines } = createRecordingLogger();
    const metrics = createMetrics();
    const { onEndpointLag: report } = chainHooks(logger, metrics);
    report({ host: 'a:1', isLagging: true, slotsBehind: 50 });
    expect(await metrics.render()).toContain('chain_endpoint_lag{host="a:1"} 50');
    report({ host: 'a:1', isLagging: false, slotsBehind: 2 });
    expect(await metrics.render()).toContain('chain_endpoint_lag{host="a:1"} 0');
    expect(lines).toEqual(['warn chain.endpoint.lag', 'info chain.endpoint.catch-up']);
  });

  it('times requests by node and outcome, and keeps on the board how the node stands', async () => {
    const { logger } = createRecordingLogger();
    const metrics = createMetrics();
    const board = createSourceBoard();
    const hooks = chainHooks(logger, metrics, board);
    hooks.onAttempt({ host: 'a:1', outcome: 'ok', durationMs: 250 });
    hooks.onAttempt({ host: 'a:1', outcome: 'timed-out', durationMs: 5_000, reason: 'no answer in 5000 ms' });
    hooks.onEndpointSlot({ host: 'a:1', slot: 7n });
    const text = await metrics.render();
    expect(text).toContain('chain_request_attempt_seconds_sum{host="a:1",outcome="ok"} 0.25');
    expect(text).toContain('chain_request_attempt_seconds_count{host="a:1",outcome="timed-out"} 1');
    expect(board.list()).toMatchObject([{ host: 'a:1', slot: 7n, error: 'timed-out' }]);
  });
});

describe('createMetrics', () => {
  it('exposes counters, gauges and histograms under the name of their event', async () => {
    const metrics = createMetrics();
    metrics.counter({ name: 'rate.sample.publish', help: 'Samples', labels: ['venue'] }).inc({ venue: 'p0' }, 3);
    metrics.gauge({ name: 'chain.slot.see', help: 'Slot' }).set(7);
    metrics.histogram({ name: 'http.request.answer', help: 'Time', unit: 'seconds', buckets: [1] }).observe(0.5);
    const text = await metrics.render();
    expect(text).toContain('rate_sample_publish_total{venue="p0"} 3');
    expect(text).toContain('chain_slot_see 7');
    expect(text).toContain('http_request_answer_seconds_bucket{le="1"} 1');
    expect(metrics.contentType).toContain('text/plain');
  });

  it('gives services of one process the same metric for the same name', async () => {
    const metrics = createMetrics();
    metrics.counter({ name: 'a.b.c', help: 'h' }).inc();
    metrics.counter({ name: 'a.b.c', help: 'h' }).inc();
    expect(await metrics.render()).toContain('a_b_c_total 2');
  });

  it('asks a collected gauge when it is rendered', async () => {
    const metrics = createMetrics();
    let depth = 1;
    metrics.gauge({ name: 'queue.depth.measure', help: 'h', collect: () => depth });
    depth = 5;
    expect(await metrics.render()).toContain('queue_depth_measure 5');
  });

  it("adds Node's own figures only when asked, and shares nothing between registries", async () => {
    expect(await createMetrics({ defaultMetrics: true }).render()).toContain('process_resident_memory_bytes');
    expect(await createMetrics().render()).not.toContain('process_');
  });
});

describe('reportSourcesOnBeat', () => {
  it('tells what stands on the board at each beat, also after a telling that failed, until it is stopped', async () => {
    const board = createSourceBoard();
    const stopping = new AbortController();
    const told: number[] = [];
    const running = reportSourcesOnBeat(
      {
        board,
        everyMs: 5,
        logger: createRecordingLogger().logger,
        tell: async (sources) => {
          told.push(sources.length);
          if (told.length === 1) throw new Error('the database is away');
          if (told.length === 2) board.declare('rpc', 'a:1');
          if (told.length === 4) stopping.abort();
        },
      },
      stopping.signal,
    );
    await running;
    expect(told).toEqual([0, 0, 1, 1]);
  });
});
