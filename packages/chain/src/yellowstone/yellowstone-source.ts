import { LendingError } from '@lending/errors';
import type { ChainHooks } from '../chain-options.ts';
import type { ProgramSource } from '../program-source.ts';
import { followConnections, type SourceConnection } from '../source-connection.ts';
import { type GeyserClient, loadGeyserClient } from './geyser-client.ts';
import { ToldSlots } from './told-slots.ts';
import { createConnector, unavailable, untilAborted } from './yellowstone-connection.ts';

export interface YellowstoneSourceOptions {
  /** `https://host:port`, or `http` for a server without TLS. */
  readonly endpoint: string;
  /** What the provider knows its customer by. Secret. */
  readonly xToken?: string;
  /** A stream without a slot for this long, in milliseconds, is given up; default 5,000. */
  readonly slotTimeoutMs?: number;
  /** Longest pause between connections, in milliseconds; default 15,000. */
  readonly maxReconnectMs?: number;
  readonly hooks?: Pick<ChainHooks, 'onWatchState'>;
}

/** Events that may wait while the consumer is busy; with their bytes about 100 MB. */
const CAPACITY = 10_000;

/**
 * Hears of a program from a Yellowstone (Dragon's Mouth) gRPC server, with whole transactions and the order of writes. After a lost
 * stream it asks to be told again from where it was, and says a gap only where the server has not kept that.
 *
 * `capacity` is kept by not reading on: what waits at the server waits there, until it has had enough and ends the stream.
 * @throws CHAIN__GRPC_UNSUPPORTED where the client cannot be loaded, CHAIN__RPC_INVALID for an endpoint that is no URL.
 */
export async function createYellowstoneSource({
  endpoint,
  xToken,
  slotTimeoutMs = 5_000,
  maxReconnectMs = 15_000,
  hooks = {},
}: YellowstoneSourceOptions): Promise<ProgramSource> {
  const host = hostOf(endpoint);
  const createClient = await loadGeyserClient();
  return {
    kind: 'yellowstone',
    watch(target, { signal, capacity = CAPACITY }) {
      const told = new ToldSlots();
      let open: ((connecting: AbortSignal) => Promise<SourceConnection>) | undefined;

      async function connect(connecting: AbortSignal): Promise<SourceConnection> {
        if (open === undefined) {
          const client = await connectClient(createClient(endpoint, xToken), host, connecting);
          open = createConnector({ client, host, target, told, slotTimeoutMs, capacity });
        }
        return open(connecting);
      }

      return followConnections(connect, {
        signal,
        maxReconnectMs,
        goodAfterMs: slotTimeoutMs,
        onState: (reason) =>
          hooks.onWatchState?.({
            watch: target.program,
            kind: 'yellowstone',
            host,
            connected: reason === null,
            reason,
          }),
      });
    },
  };
}

async function connectClient(client: GeyserClient, host: string, signal: AbortSignal): Promise<GeyserClient> {
  try {
    await untilAborted(client.connect(), signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw unavailable(host, cause);
  }
  return client;
}

function hostOf(endpoint: string): string {
  if (!URL.canParse(endpoint))
    throw new LendingError('CHAIN__RPC_INVALID', {
      message: 'The gRPC endpoint is no URL; it begins with https:// or http://',
    });
  return new URL(endpoint).host;
}
