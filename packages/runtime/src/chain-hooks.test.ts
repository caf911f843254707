import { describe, expect, it } from 'vitest';
import { createRecordingLogger } from '#testing/recording-logger.ts';
import { chainHooks } from './chain-hooks.ts';
import { createMetrics } from './metrics.ts';
import { createSourceBoard } from './source-board.ts';

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
