/** What the api answers, as far as scenarios look at it: each of these has all of its fields in every answer. */

export interface BanksReply {
  readonly banks: readonly BankReply[];
  readonly count: number;
  readonly as_of: { readonly slot: number; readonly source: string; readonly stale: boolean };
  readonly coverage: {
    readonly complete: boolean;
    readonly venues_missing: readonly { readonly venue: string; readonly since: string | null }[];
    readonly banks_skipped: readonly { readonly bank: string; readonly reason: string }[];
  };
  readonly warnings: readonly { readonly code: string }[];
}

export interface BankReply {
  readonly address: string;
  readonly symbol: string | null;
  readonly venue: string;
  readonly asset_tag: string;
  readonly price_usd: number | null;
  readonly rates: Readonly<Record<string, number | null>>;
  readonly oracle: { readonly type: string };
}

export interface AccountsReply {
  readonly accounts: readonly {
    readonly address: string;
    readonly positions: readonly {
      readonly bank: string;
      readonly symbol: string;
      readonly side: 'lend' | 'borrow';
    }[];
  }[];
}

/** Of `/readyz` while a part of the service is not. */
export interface NotReadyReply {
  readonly details: { readonly reasons: readonly { readonly component: string; readonly reason: string }[] };
}

export interface StatusReply {
  readonly components: readonly { readonly name: string; readonly ready: boolean; readonly reason: string | null }[];
  readonly indexer: {
    readonly tip: {
      readonly slot: number;
      readonly time: string;
      readonly age_seconds: number;
      readonly stale: boolean;
    } | null;
    readonly root_slot: number | null;
    readonly unfinal_slots: number | null;
    readonly accounts_complete: boolean;
  } | null;
  readonly venues: readonly {
    readonly venue: string;
    readonly stale: boolean;
    readonly newest: { readonly time: string; readonly age_seconds: number };
    readonly gap_seconds_24h: number | null;
    readonly quarantined_24h: number;
    readonly last_quarantined: { readonly reason: string; readonly detail: string } | null;
    readonly beat_seconds: number | null;
    readonly lag_seconds: number | null;
    readonly slots_behind: number | null;
  }[];
  readonly topics: readonly {
    readonly topic: string;
    readonly behind: number | null;
    readonly lag_seconds: number | null;
    readonly handled_per_second: number | null;
    readonly dead: number | null;
    readonly unknown_since: string | null;
  }[];
  readonly sources: readonly {
    readonly role: string;
    readonly kind: string;
    readonly in_use: boolean;
    readonly slots_behind: number | null;
  }[];
  readonly program: {
    readonly version: string | null;
    readonly deploy_slot: number;
    readonly standing: string;
    readonly reason: string | null;
  };
  readonly audit: {
    readonly unverified: number;
    readonly banks: readonly {
      readonly bank: string;
      readonly verified: boolean;
      readonly overruled_until: string | null;
      readonly figures: readonly {
        readonly figure: string;
        readonly slot: number;
        readonly differed: number;
        readonly unverified_since: number | null;
        readonly last_difference: { readonly field: string; readonly slot: number } | null;
      }[];
    }[];
  };
}
