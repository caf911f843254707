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
  metrics.gauge({
    name: 'service.component.fail',
    help: '1 under the code of what this part of the process fails with, where it has one; none while it works',
    labels: ['component', 'code'],
    collectEach: () =>
      readiness.getStatus().components.flatMap(({ name, reason }) => {
        const code = codeOf(reason);
        return code === undefined ? [] : [[{ component: name, code }, 1] as const];
      }),
  });
}

/** The code of ours that a reason begins with. */
function codeOf(reason: string | null): string | undefined {
  return reason?.match(/^[A-Z]+__[A-Z_]+(?=:)/)?.[0];
}
