import type { Envelope } from './envelope.ts';
import type { Service } from './service.ts';

export interface Bank {
  readonly address: string;
  readonly symbol: string;
  readonly mint: string;
  readonly decimals: number;
}

export interface Positions {
  readonly accounts: readonly {
    readonly address: string;
    readonly health: { readonly status: string; readonly health_factor: number | null };
    readonly positions: readonly {
      readonly symbol: string | null;
      readonly side: string;
      readonly amount_ui: number | null;
    }[];
  }[];
}

export interface Verified {
  readonly landed: boolean | null;
  readonly success: boolean | null;
  readonly plan: {
    readonly matches: boolean | null;
    readonly differences: readonly { readonly field: string; readonly promised: string; readonly actual: string }[];
  } | null;
  readonly advice: string;
}

/** What the story asks of the service, through whichever door. */
export interface StoryService {
  /** Asks a builder, such as `close-position`, for an envelope. */
  build(action: string, body: Readonly<Record<string, unknown>>): Promise<Envelope>;
  getBanks(symbol: string): Promise<{ readonly banks: readonly Bank[] }>;
  getWallet(address: string): Promise<{ readonly tokens: readonly { readonly symbol: string | null }[] }>;
  getPositions(address: string): Promise<Positions>;
  getActivity(
    address: string,
  ): Promise<{ readonly activity: readonly { readonly signature: string; readonly kind: string }[] }>;
  verify(signature: string, planId: string): Promise<Verified>;
}

/** The story's questions over REST. */
export function askOverRest({ get, build }: Service): StoryService {
  return {
    build,
    getBanks: (symbol) => get(`/v1/banks?symbol=${symbol}&venue=P0`),
    getWallet: (address) => get(`/v1/wallet/${address}`),
    getPositions: (address) => get(`/v1/account/${address}`),
    getActivity: (address) => get(`/v1/activity/${address}?response_format=detailed`),
    verify: (signature, planId) => get(`/v1/verify/${signature}?plan_id=${encodeURIComponent(planId)}`),
  };
}
