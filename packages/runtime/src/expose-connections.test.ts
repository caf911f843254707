import { describe, expect, it } from 'vitest';
import { exposeConnections } from './expose-connections.ts';
import { createMetrics } from './metrics.ts';

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
