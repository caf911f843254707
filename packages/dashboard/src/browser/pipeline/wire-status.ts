import type { WireAsOf } from '../data/wire-records.ts';

/** What of the service's status the page reads. */
export interface WireStatus {
  readonly ready: boolean;
  readonly version: string;
  readonly verified_on_chain: WireVerified | null;
  readonly audit: WireAudit | null;
  readonly components: readonly WireComponent[];
  readonly chain: WireAsOf | null;
  readonly banks: number | null;
  readonly venues: readonly WireVenueStatus[] | null;
  readonly indexer: WireIndexer | null;
  readonly consumers: readonly WireConsumer[];
  readonly topics: readonly WireTopic[] | null;
  readonly sources: readonly WireSource[] | null;
}

export interface WireVerified {
  readonly kind: 'local_chain' | 'run';
  readonly at: string | null;
  readonly verdict: 'trusted' | 'trusted_except' | 'not_trusted' | null;
  readonly exceptions: readonly string[] | null;
}

export interface WireAudit {
  readonly compared: number;
  readonly differed: number;
  readonly unverified: number;
  readonly banks: readonly WireAuditedBank[];
}

export interface WireAuditedBank {
  readonly bank: string;
  readonly symbol: string | null;
  readonly overruled_until: string | null;
  readonly figures: readonly WireAuditedFigure[];
}

export interface WireAuditedFigure {
  readonly figure: string;
  readonly unverified_since: number | null;
  readonly last_difference: {
    readonly field: string;
    readonly ours: string;
    readonly theirs: string;
    readonly bound: string;
  } | null;
}

export interface WireComponent {
  readonly name: string;
  readonly ready: boolean;
  readonly reason: string | null;
  readonly since: string;
}

export interface WireVenueStatus {
  readonly venue: string;
  readonly banks: number;
  readonly reserves: number;
  readonly newest: { readonly slot: number; readonly time: string; readonly age_seconds: number } | null;
  readonly stale: boolean;
  readonly beat_seconds: number | null;
  readonly gap_seconds_24h: number | null;
  readonly quarantined_24h: number;
  readonly last_quarantined: {
    readonly address: string;
    readonly reason: string;
    readonly detail: string;
    readonly time: string;
  } | null;
}

export interface WireIndexer {
  readonly tip: WireAsOf | null;
  readonly root_slot: number | null;
  readonly unfinal_slots: number | null;
  readonly accounts_complete: boolean;
  readonly open_tasks: number;
  readonly tasks: readonly WireTask[];
  readonly followed: { readonly count: number; readonly unanswered: number; readonly limit: number };
}

export interface WireTask {
  readonly task: string;
  readonly kind: 'accounts' | 'activity';
  readonly address: string | null;
  readonly done: number;
  readonly total: number | null;
  readonly rate_per_second: number | null;
  readonly updated_at: string;
}

export interface WireConsumer {
  readonly group: string;
  readonly topic: string;
  readonly partitions: number;
  readonly position: string;
  readonly updated_at: string;
}

export interface WireTopic {
  readonly topic: string;
  readonly group: string;
  readonly partitions: number;
  readonly behind: number | null;
  readonly worst_partition: { readonly partition: number; readonly behind: number } | null;
  readonly lag_seconds: number | null;
  readonly handled_per_second: number | null;
  readonly dead: number | null;
  readonly unknown_since: string | null;
}

export interface WireSource {
  readonly role: string;
  readonly instance: string;
  readonly kind: string;
  readonly host: string;
  readonly state: 'unknown' | 'serving' | 'lagging' | 'resting' | 'refused';
  readonly in_use: boolean;
  readonly newest_slot: number | null;
  readonly slots_behind: number | null;
  readonly last_answer_seconds: number | null;
  readonly error: string | null;
}
