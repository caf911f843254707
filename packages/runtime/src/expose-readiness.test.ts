import { describe, expect, it } from 'vitest';
import { exposeReadiness } from './expose-readiness.ts';
import { createMetrics } from './metrics.ts';
import { createReadiness } from './readiness.ts';

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
