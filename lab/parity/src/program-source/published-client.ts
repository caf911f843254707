import { createRequire } from 'node:module';
import type { Duplex } from 'node:stream';

export interface PublishedClient {
  readonly default: new (
    endpoint: string,
    xToken: string | undefined,
    options: undefined,
  ) => {
    connect(): Promise<void>;
    subscribe(request: object): Promise<Duplex>;
  };
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
