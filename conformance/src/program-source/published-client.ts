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

/** The client that `@lending/chain` uses: its own copy, because another SDK here wants none in its place. */
export const publishedClient: PublishedClient = createRequire(import.meta.resolve('@lending/chain'))(
  '@triton-one/yellowstone-grpc',
);
