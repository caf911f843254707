import { type ComponentReporter, type Metrics, type Readiness, runBeat } from '@lending/runtime';
import type { Leadership } from './leadership.ts';

export interface ReportLeadershipOptions {
  readonly leadership: Leadership;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** The readiness of a process that may have nothing to do. */
export interface LeadershipReport {
  /** What must work while this process leads: standing by it is all ready, as nothing is asked of it. */
  readonly readiness: Readiness;
  /** Reports until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** How often a change is looked for: a stand-by reports nothing else. */
const LOOK_MS = 500;

export function createLeadershipReport(options: ReportLeadershipOptions): LeadershipReport {
  const { leadership, metrics } = options;
  const parts = new Map<string, ComponentReporter>();
  const leader = options.readiness.component('rate-poller leader');
  leader.notReady('It is not known yet whether another poller samples: the database has not answered');
  metrics.gauge({
    name: 'rate.leader.hold',
    help: '1 while this process samples, 0 while it stands by',
    collect: () => (leadership.state === 'leading' ? 1 : 0),
  });

  async function look(): Promise<void> {
    const { state } = leadership;
    if (state !== 'unknown') leader.ready();
    if (state === 'standby') for (const part of parts.values()) part.ready();
  }

  return {
    readiness: {
      ...options.readiness,
      component(name) {
        const part = options.readiness.component(name);
        parts.set(name, part);
        return part;
      },
    },
    async run(signal) {
      const leading = leadership.untilLeading(signal).then(look, () => undefined);
      await Promise.all([leading, runBeat(LOOK_MS, signal, look)]);
    },
  };
}
