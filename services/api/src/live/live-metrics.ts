import type { Metrics } from '@lending/runtime';
import type { LiveKind } from '#records/live-fields.ts';

/** Why a stream ended: its reader left, did not read, or this instance stops. */
export type CloseReason = 'client' | 'slow' | 'shutdown';

/** What is counted of streams. */
export interface LiveMetrics {
  sent(kind: LiveKind): void;
  conflated(kind: LiveKind): void;
  closed(reason: CloseReason): void;
  refused(limit: 'all' | 'client'): void;
}

export function createLiveMetrics(metrics: Metrics, countOpen: () => number): LiveMetrics {
  metrics.gauge({ name: 'live.stream.open', help: 'Streams that are open', collect: countOpen });
  const sent = metrics.counter({ name: 'live.event.send', help: 'Events told to streams', labels: ['kind'] });
  const conflated = metrics.counter({
    name: 'live.event.conflate',
    help: 'Events that no reader was told because something newer took their place first',
    labels: ['kind'],
  });
  const closed = metrics.counter({
    name: 'live.stream.close',
    help: 'Streams that ended, and why',
    labels: ['reason'],
  });
  const refused = metrics.counter({
    name: 'live.stream.refuse',
    help: 'Streams that were refused, by the limit that they met',
    labels: ['limit'],
  });
  return {
    sent: (kind) => sent.inc({ kind }),
    conflated: (kind) => conflated.inc({ kind }),
    closed: (reason) => closed.inc({ reason }),
    refused: (limit) => refused.inc({ limit }),
  };
}
