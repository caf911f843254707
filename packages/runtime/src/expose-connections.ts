import type { Metrics } from './metrics.ts';

/** Connections of one pool at a moment. */
interface PoolUsage {
  readonly most: number;
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

/** How the database connections of a process stand, by pool: what an alarm can be set on before statements have to wait for long. */
export function exposeConnections(metrics: Metrics, pools: Readonly<Record<string, () => PoolUsage>>): void {
  const usages = () => Object.entries(pools).map(([pool, usage]) => [pool, usage()] as const);
  metrics.gauge({
    name: 'store.connection.count',
    help: 'Database connections by what they do: busy or idle; waiting: statements that have none yet',
    labels: ['pool', 'state'],
    collectEach: () =>
      usages().flatMap(([pool, usage]) =>
        (['busy', 'idle', 'waiting'] as const).map((state) => [{ pool, state }, usage[state]] as const),
      ),
  });
  metrics.gauge({
    name: 'store.connection.most',
    help: 'Database connections that a pool may have',
    labels: ['pool'],
    collectEach: () => usages().map(([pool, { most }]) => [{ pool }, most] as const),
  });
}
