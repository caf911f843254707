/** What one leg moved: base units and shares as exact decimal text, null where it is not known. */
export interface ActivityLegWrite {
  readonly bank: string;
  readonly mint: string;
  readonly action: string;
  readonly amountBase: string | null;
  readonly shares: string | null;
  readonly closesSide: boolean;
  readonly premium?: { readonly settledBase: string | null; readonly writtenOffBase: string | null } | null;
}

/** One thing that was done to an account, in one slot; `time` is that block's, an ISO-8601 instant. */
export interface ActivityWrite {
  /** `signature:instruction[:inner]`. */
  readonly id: string;
  readonly signature: string;
  readonly instructionIndex: number;
  readonly innerIndex: number | null;
  readonly kind: string;
  readonly groupId: string | null;
  readonly account: string;
  readonly authority: string;
  readonly actor: string;
  readonly counterparty: string | null;
  readonly feeLamports: string;
  readonly tipLamports: string;
  readonly finality: 'confirmed' | 'finalized';
  readonly legs: readonly ActivityLegWrite[];
  /** What the column shall hold as JSON. */
  readonly liquidation: unknown;
  /** Likewise: `order`, and `executor`, which is null of a placement, `record`, `moved`, `tipLamports`, `realized` as the message has them. */
  readonly rebalance?: unknown;
  readonly slot: bigint;
  readonly time: string;
}

/** An activity under the key it has in the tables. */
export type KeyedActivity = ActivityWrite & { readonly key: string };
