import type { Settings } from '#config.ts';
import type { Scan } from '#first-contact/scan.ts';
import type { Cluster, Node } from '#node/node.ts';
import type { RefusingNode } from '#node/start-refusing-node.ts';
import type { Arguments } from '#read-arguments.ts';
import type { Service } from '#service/service.ts';

/** As `GET /v1/banks` answers, as far as it is looked at here. */
export interface Bank {
  readonly address: string;
  readonly symbol: string | null;
  readonly mint: string;
  readonly venue: string;
  readonly decimals: number;
  readonly price_usd: number | null;
  readonly operational_state: string;
  readonly asset_tag: string;
  readonly borrowable: boolean;
  readonly actions_allowed: readonly string[];
  readonly rates: Readonly<Record<string, number | string | null>>;
  readonly size: Readonly<Record<string, number | null>>;
  readonly oracle: { readonly type: string; readonly stale: boolean };
}

export interface Position {
  readonly bank: string;
  readonly mint: string;
  readonly side: 'lend' | 'borrow';
  readonly amount_ui: number | null;
  readonly amount_usd: number | null;
  readonly max_withdraw_ui?: number | null;
}

export interface Account {
  readonly address: string;
  readonly positions: readonly Position[];
  readonly max_borrow: readonly { readonly bank: string; readonly amount_ui: number }[] | null;
}

export interface Token {
  readonly mint: string;
  readonly symbol: string | null;
  readonly amount_ui: number;
  readonly amount_raw: string;
  readonly value_usd: number | null;
  readonly is_native_sol: boolean;
  readonly banks?: readonly { readonly bank: string; readonly venue: string }[];
}

/** Somebody who uses the service's banks, for whom something may be built. */
export interface Candidate {
  readonly authority: string;
  readonly accounts: readonly Account[];
  readonly tokens: readonly Token[];
}

export interface Strategy {
  readonly supply: { readonly bank: string; readonly mint: string };
  readonly borrow: { readonly bank: string; readonly mint: string };
  readonly max_leverage: number;
}

/** What checks found for those after them. */
export interface Findings {
  /** What the accounts of the group hold, and whose they are. */
  readonly scan: Scan;
  banks: readonly Bank[];
  reserves: readonly { readonly address: string; readonly venue: string }[];
  strategies: readonly Strategy[];
  candidates: readonly Candidate[];
  /** A transaction of one of them, that landed. */
  landed: string | null;
  /** A plan that was built, and its transactions. */
  plan: { readonly id: string; readonly transactions: readonly string[] } | null;
  /** Tools of MCP that answered, and root fields of GraphQL. */
  readonly tools: Set<string>;
  readonly fields: Set<string>;
  /** Whether `/v1/stream` told anything. */
  isStreamHeard: boolean;
}

export const noFindings = (scan: Scan): Findings => ({
  scan,
  banks: [],
  reserves: [],
  strategies: [],
  candidates: [],
  landed: null,
  plan: null,
  tools: new Set(),
  fields: new Set(),
  isStreamHeard: false,
});

/** What checks ask, and what they found for those after them. */
export interface World {
  readonly arguments: Arguments;
  readonly settings: Settings;
  readonly cluster: Cluster;
  readonly node: Node;
  /** Null where the service is somebody else's. */
  readonly refusing: RefusingNode | null;
  readonly service: Service;
  /** Of a caller of conversations; null where there is none. */
  readonly token: string | null;
  /** What the service logged as errors; null where nobody hears. */
  readonly errors: (() => readonly string[]) | null;
  readonly findings: Findings;
}

/** What one check says. */
export interface Told {
  /** Each a sentence; none: all was well. */
  readonly faults: readonly string[];
  /** What it saw, for whoever reads the report. */
  readonly figures?: Readonly<Record<string, unknown>>;
}

/** Why a check could not be made, which is nobody's fault. */
interface Skipped {
  readonly skipped: string;
}

/** One thing that has to be so. Throwing is a fault, too. */
export interface Check {
  readonly name: string;
  run(world: World): Promise<Told | Skipped>;
}
