import type { Duplex } from 'node:stream';
import { LendingError } from '@lending/errors';

/**
 * The part of `@triton-one/yellowstone-grpc` 7 that is used. Its own declarations are not reachable through its `exports`. 64-bit
 * numbers are decimal text.
 */
export interface GeyserClient {
  connect(): Promise<void>;
  getSlot(commitment: number): Promise<{ readonly slot: string }>;
  /** A stream of `GeyserUpdate` in object mode; requests written to it replace its filters, or are pings. */
  subscribe(request: GeyserRequest): Promise<Duplex>;
}

/** Channel options; times in milliseconds. */
interface ChannelOptions {
  readonly grpcConnectTimeout: number;
  readonly grpcHttp2KeepAliveInterval: number;
  readonly grpcKeepAliveTimeout: number;
  readonly grpcKeepAliveWhileIdle: boolean;
}

interface GeyserModule {
  readonly default: new (endpoint: string, xToken: string | undefined, options: ChannelOptions) => GeyserClient;
}

/** Commitments and slot statuses, as the protocol counts them. */
export const CONFIRMED = 1;
export const FINALIZED = 2;

interface AccountsFilter {
  readonly account: readonly string[];
  readonly owner: readonly string[];
  readonly filters: readonly (
    | { readonly datasize: string }
    | { readonly memcmp: { readonly offset: string; readonly bytes: Uint8Array } }
  )[];
}

interface TransactionsFilter {
  readonly vote: boolean;
  readonly accountInclude: readonly string[];
  readonly accountExclude: readonly string[];
  readonly accountRequired: readonly string[];
}

/** All maps must be there, be they empty. */
export interface GeyserRequest {
  readonly accounts: Readonly<Record<string, AccountsFilter>>;
  readonly slots: Readonly<Record<string, object>>;
  readonly transactions: Readonly<Record<string, TransactionsFilter>>;
  readonly transactionsStatus: Readonly<Record<string, never>>;
  readonly blocks: Readonly<Record<string, never>>;
  readonly blocksMeta: Readonly<Record<string, object>>;
  readonly entry: Readonly<Record<string, never>>;
  readonly accountsDataSlice: readonly never[];
  readonly commitment?: number;
  readonly fromSlot?: string;
  readonly ping?: { readonly id: number };
}

export interface GeyserInstruction {
  readonly programIdIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
}

export interface GeyserTokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  /** Empty where the node did not know. */
  readonly owner: string;
  readonly uiTokenAmount?: { readonly amount: string; readonly decimals: number } | undefined;
}

export interface GeyserTransaction {
  readonly signature: Uint8Array;
  readonly transaction?:
    | {
        readonly message?:
          | {
              readonly header?:
                | {
                    readonly numRequiredSignatures: number;
                    readonly numReadonlySignedAccounts: number;
                    readonly numReadonlyUnsignedAccounts: number;
                  }
                | undefined;
              readonly accountKeys: readonly Uint8Array[];
              readonly instructions: readonly GeyserInstruction[];
              /** True of version 0 and of 1. */
              readonly versioned: boolean;
              /** There in version 1 only. */
              readonly config?: object | undefined;
            }
          | undefined;
      }
    | undefined;
  readonly meta?:
    | {
        readonly err?: object | undefined;
        readonly fee: string;
        readonly preBalances: readonly string[];
        readonly postBalances: readonly string[];
        readonly innerInstructions: readonly {
          readonly index: number;
          readonly instructions: readonly (GeyserInstruction & { readonly stackHeight?: number | undefined })[];
        }[];
        readonly innerInstructionsNone: boolean;
        readonly logMessages: readonly string[];
        readonly logMessagesNone: boolean;
        readonly preTokenBalances: readonly GeyserTokenBalance[];
        readonly postTokenBalances: readonly GeyserTokenBalance[];
        readonly loadedWritableAddresses: readonly Uint8Array[];
        readonly loadedReadonlyAddresses: readonly Uint8Array[];
      }
    | undefined;
}

export interface GeyserAccount {
  readonly pubkey: Uint8Array;
  readonly lamports: string;
  readonly owner: Uint8Array;
  readonly data: Uint8Array;
  readonly writeVersion: string;
}

/** One of them is there. */
export interface GeyserUpdate {
  readonly account?: { readonly account?: GeyserAccount | undefined; readonly slot: string } | undefined;
  readonly transaction?: { readonly transaction?: GeyserTransaction | undefined; readonly slot: string } | undefined;
  readonly slot?: { readonly slot: string; readonly status: number } | undefined;
  readonly blockMeta?:
    | { readonly slot: string; readonly blockTime?: { readonly timestamp: string } | undefined }
    | undefined;
  readonly ping?: object | undefined;
}

/** Makes clients of the published package. A client connects once, and again by itself when it is asked for another stream. */
export type GeyserClientFactory = (endpoint: string, xToken: string | undefined) => GeyserClient;

const CHANNEL: ChannelOptions = {
  grpcConnectTimeout: 10_000,
  grpcHttp2KeepAliveInterval: 15_000,
  grpcKeepAliveTimeout: 10_000,
  grpcKeepAliveWhileIdle: true,
};

/**
 * Loads the published client, which is native code: 8 MB, and not built for every machine.
 *
 * Its own reconnection stays off. It begins anew without a word once the server no longer has the slot it asks for, so that what was
 * missed is never known, and it ends for good when a server closes its stream in peace.
 * @see yellowstone-grpc-client/src/reconnect.rs
 * @throws CHAIN__GRPC_UNSUPPORTED when it is not installed or cannot be loaded here.
 */
export async function loadGeyserClient(): Promise<GeyserClientFactory> {
  try {
    // @ts-expect-error: its declarations are not reachable, and where there is no build it may be missing altogether
    const { default: Client }: GeyserModule = await import('@triton-one/yellowstone-grpc');
    return (endpoint, xToken) => new Client(endpoint, xToken, CHANNEL);
  } catch (cause) {
    throw new LendingError('CHAIN__GRPC_UNSUPPORTED', {
      message: `The Yellowstone client cannot be loaded on ${process.platform} ${process.arch}; it is built for Linux on x64 and for macOS`,
      context: { platform: process.platform, arch: process.arch },
      cause,
    });
  }
}
