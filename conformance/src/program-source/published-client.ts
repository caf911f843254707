import { createRequire } from 'node:module';
import type { Duplex } from 'node:stream';

/** A message type of the published client; 64-bit numbers are decimal text there. */
interface MessageType {
  decode(bytes: Uint8Array): Readonly<Record<string, unknown>>;
  encode(message: object): { finish(): Uint8Array };
  fromPartial(message: object): object;
}

export interface PublishedClient {
  readonly default: new (
    endpoint: string,
    xToken: string | undefined,
    options: undefined,
  ) => {
    connect(): Promise<void>;
    subscribe(request: object): Promise<Duplex>;
    subscribeReplayInfo(): Promise<object>;
  };
  readonly SubscribeUpdate: MessageType;
  readonly SubscribeRequest: MessageType;
  readonly txErrDecode: { decode(bytes: Uint8Array): unknown };
}

const requireAsChain = createRequire(import.meta.resolve('@lending/chain'));

/** The client is native code, and not built for every machine. */
export const CLIENT_IS_BUILT = isLoadable();
/** What the name of a suite says that is skipped without it. */
export const NEEDS_CLIENT = 'needs a build of @triton-one/yellowstone-grpc for this machine';

/** The client that `@lending/chain` uses: its own copy, because another SDK here wants none in its place. Empty where there is no build. */
export const publishedClient = (
  CLIENT_IS_BUILT ? requireAsChain('@triton-one/yellowstone-grpc') : {}
) as PublishedClient;

function isLoadable(): boolean {
  try {
    requireAsChain('@triton-one/yellowstone-grpc');
    return true;
  } catch {
    return false;
  }
}
