import { LendingError } from '@lending/errors';
import type published from '@triton-one/yellowstone-grpc';
import type {
  ChannelOptions,
  SubscribeRequest,
  SubscribeUpdate,
  SubscribeUpdateTransactionInfo,
} from '@triton-one/yellowstone-grpc';

/** The part of the published client that is used. It connects once, and again by itself when it is asked for another stream. */
export type GeyserClient = Pick<published.default, 'connect' | 'getSlot' | 'subscribe'>;

export type GeyserRequest = SubscribeRequest;
/** 64-bit numbers are decimal text; one of its branches is there. */
export type GeyserUpdate = SubscribeUpdate;
export type GeyserTransaction = SubscribeUpdateTransactionInfo;
export type GeyserMeta = NonNullable<GeyserTransaction['meta']>;
export type GeyserMessage = NonNullable<NonNullable<GeyserTransaction['transaction']>['message']>;

/**
 * The bank of its slot that an account's write, a transaction, a block meta or a status is of, as the node that is heard counts its banks;
 * null where it is not given. A slot has several banks where its leader began on a parent that lost (fast leader handover), or made it twice.
 * Numbers are given since Yellowstone 16, and read by the client that knows the field; 0 stands for a server that does not give them.
 * @see yellowstone-grpc-proto/proto/geyser.proto
 */
export function bankOf(branch: object): bigint | null {
  const { bankId } = branch as { readonly bankId?: string | undefined };
  return bankId === undefined || bankId === '0' ? null : BigInt(bankId);
}

/** Commitments and slot statuses, as the protocol counts them. The client's enumerations would load it. */
export const CONFIRMED = 1;
export const FINALIZED = 2;

/** What is loaded is an ES module, though its declarations are those of a CommonJS one. */
interface PublishedModule {
  readonly default: typeof published.default;
}

/** Times in milliseconds. */
const CHANNEL: ChannelOptions = {
  grpcConnectTimeout: 10_000,
  grpcHttp2KeepAliveInterval: 15_000,
  grpcKeepAliveTimeout: 10_000,
  grpcKeepAliveWhileIdle: true,
};

/**
 * Loads the published client, which is native code: 8 MB, and not built for every machine. Resolves with what makes a client.
 *
 * Its own reconnection stays off. It begins anew without a word once the server no longer has the slot it asks for, so that what was
 * missed is never known, and it ends for good when a server closes its stream in peace.
 * @see yellowstone-grpc-client/src/reconnect.rs
 * @throws CHAIN__GRPC_UNSUPPORTED when it is not installed or cannot be loaded here.
 */
export async function loadGeyserClient(
  load: () => Promise<unknown> = () => import('@triton-one/yellowstone-grpc'),
): Promise<(endpoint: string, xToken: string | undefined) => GeyserClient> {
  try {
    const { default: GrpcClient } = (await load()) as PublishedModule;
    return (endpoint, xToken) => new GrpcClient(endpoint, xToken, CHANNEL);
  } catch (cause) {
    throw new LendingError('CHAIN__GRPC_UNSUPPORTED', {
      message: `The Yellowstone client cannot be loaded on ${process.platform} ${process.arch}; it is built for Linux on x64 and for macOS`,
      context: { platform: process.platform, arch: process.arch },
      cause,
    });
  }
}
