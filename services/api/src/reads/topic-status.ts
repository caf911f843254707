import type { TopicLagRow } from '@lending/store';

/** What waits to be handled in one topic. Null is unknown. */
export interface TopicStatus {
  readonly topic: string;
  readonly group: string;
  readonly partitions: number;
  readonly behind: number | null;
  readonly worst_partition: { readonly partition: number; readonly behind: number } | null;
  /** How long the oldest message that waits has been there; 0 when none waits. */
  readonly lag_seconds: number | null;
  readonly handled_per_second: number | null;
  /** Messages that lie on its dead topic. */
  readonly dead: number | null;
  readonly measured_at: string;
  /** When it was last known, where that is too long ago; null while it is known. */
  readonly unknown_since: string | null;
}

/** Four times what indexers let pass between two readings: whoever is later does not measure any more. */
const BELIEVED_MS = 30_000;

/**
 * What waits, as an indexer measured it. A reading that is old says nothing of now: what the log has got since is known to nobody while
 * no indexer runs.
 */
export function describeTopic(row: TopicLagRow): TopicStatus {
  const { topic, consumer_group: group, partitions, measured_at, measured_ms: ageMs } = row;
  const known = ageMs <= BELIEVED_MS;
  const when = measured_at.toISOString();
  return {
    topic,
    group,
    partitions,
    behind: known ? Number(row.behind) : null,
    worst_partition:
      known && row.behind > 0n ? { partition: row.worst_partition, behind: Number(row.worst_behind) } : null,
    lag_seconds: known ? roundTenth((row.waiting_ms ?? 0) / 1000) : null,
    handled_per_second: known && row.handled_per_second !== null ? roundTenth(row.handled_per_second) : null,
    dead: known && row.dead !== null ? Number(row.dead) : null,
    measured_at: when,
    unknown_since: known ? null : when,
  };
}

function roundTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
