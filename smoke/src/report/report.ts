import type { FirstContact } from '@lending/runtime/first-contact-file.ts';
import type { ContactReport } from '#first-contact/run-contact.ts';
import type { Cluster } from '#node/identify-node.ts';
import type { OperationUse } from '#service/service.ts';

export type Outcome = 'ok' | 'failed' | 'skipped';

/** How one check ended. */
export interface Checked {
  readonly name: string;
  readonly outcome: Outcome;
  /** What was wrong, or why it was skipped; nothing where all was well. */
  readonly reasons: readonly string[];
  readonly figures: Readonly<Record<string, unknown>>;
  readonly ms: number;
}

/** One smoke test, with all that is needed to judge it later. */
export interface Report {
  /** Whether the service may be trusted on this chain, and for what not; what the service reads, too. */
  readonly verdict: FirstContact['verdict'];
  readonly exceptions: readonly string[];
  /** Strict rules that the chain's answers relax, by id. */
  readonly relaxed: readonly string[];
  /** ISO-8601, when it began. */
  readonly at: string;
  readonly ms: number;
  readonly outcome: 'ok' | 'failed';
  readonly versions: { readonly service: string; readonly node: string; readonly platform: string };
  /** A service of its own, or the address of somebody else's. */
  readonly service: string;
  readonly cluster: Cluster;
  readonly aggregators: Readonly<Record<string, 'with a key' | 'without a key'>>;
  readonly contact: ContactReport;
  readonly checks: readonly Checked[];
  readonly operations: Readonly<Record<string, OperationUse>>;
  readonly tools: readonly string[];
}
