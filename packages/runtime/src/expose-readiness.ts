import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

/** What the parts of a process say about themselves, as metrics: what an alarm can be set on. */
export function exposeReadiness(readiness: Pick<Readiness, 'getStatus'>, metrics: Metrics): void {
  metrics.gauge({
    name: 'service.component.ready',
    help: '1 while this part of the process works, 0 while it does not',
    labels: ['component'],
    collectEach: () => readiness.getStatus().components.map(({ name, ready }) => [{ component: name }, ready ? 1 : 0]),
  });
}
