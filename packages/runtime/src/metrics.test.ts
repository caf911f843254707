import { describe, expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

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
