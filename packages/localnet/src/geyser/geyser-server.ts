import { type AddressInfo, createServer, type Socket } from 'node:net';
import { status as GRPC_STATUS, Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { fromSystemError } from '@lending/runtime';
import type { Ledger } from '#ledger/ledger.ts';
import type { Fault } from '#rpc/fault.ts';
import { createGeyserService } from './geyser-service.ts';
import { GeyserStream } from './geyser-stream.ts';
import { LedgerFeed } from './ledger-feed.ts';
import type { SubscribeRequest } from './subscribe-request.ts';
import type { SubscribeUpdate } from './subscribe-update.ts';

/** Nothing outside the machine may reach a chain that signs for anybody. */
const HOST = '127.0.0.1';

export interface GeyserOptions {
  /** What calls must say in `x-token`; without it every client may call. */
  readonly xToken?: string;
  /** Confirmed slots that can be sent again from `fromSlot`, default 150, and never less than those not yet final; 0 serves none. */
  readonly retainedSlots?: number;
  /** Whether every slot has a second bank, abandoned for the one that is confirmed, whose writes are sent too; default false. */
  readonly abandonsBanks?: boolean;
  /** Updates that may wait for a client that does not read; more ends its stream. Default 100,000. */
  readonly maxQueued?: number;
  /** Milliseconds between the pings of a stream; default 10,000. */
  readonly pingMs?: number;
}

/** Yellowstone's `Geyser` service over the ledger, without TLS: what a provider's gRPC endpoint is to a client. */
export interface GeyserServer {
  /** Resolves with the port once it listens; 0 takes a free one. */
  listen(port: number): Promise<number>;
  close(): Promise<void>;
  /** `unavailable` cuts and refuses connections, `drop_subscriptions` cuts them once, `mute_subscriptions` lets streams stand silent. */
  setFault(fault: Fault | null): void;
}

/** Builds the server without listening. It hears the ledger from now on, so that what happens before it listens can be replayed. */
export function createGeyserServer(ledger: Ledger, options: GeyserOptions = {}): GeyserServer {
  const { xToken, retainedSlots = 150, abandonsBanks = false, maxQueued = 100_000, pingMs = 10_000 } = options;
  const replays = retainedSlots > 0;
  const feed = new LedgerFeed(ledger, retainedSlots, abandonsBanks);
  const streams = new Set<GeyserStream>();
  const sockets = new Set<Socket>();
  let fault: Fault | null = null;

  function subscribe(call: ServerDuplexStream<SubscribeRequest, SubscribeUpdate>): void {
    const stream: GeyserStream = new GeyserStream(call, {
      feed,
      replays,
      maxQueued,
      pingMs,
      isStalled: () => fault?.kind === 'mute_subscriptions',
      onEnd: () => streams.delete(stream),
    });
    streams.add(stream);
  }

  const grpc = new Server();
  const { definition, implementation } = createGeyserService({ ledger, feed, subscribe, replays, xToken });
  grpc.addService(definition, implementation);
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  // Connections are accepted here, so that a fault can cut them as a network does: without a word.
  const listener = createServer((socket) => {
    if (fault?.kind === 'unavailable') return void socket.destroy();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setNoDelay(true);
    return injector.injectConnection(socket);
  });

  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    listen: (port) =>
      new Promise((resolve, reject) => {
        listener.once('error', (error) => reject(fromSystemError(error)));
        listener.listen(port, HOST, () => resolve((listener.address() as AddressInfo).port));
      }),
    async close() {
      feed.close();
      for (const stream of streams) stream.end(GRPC_STATUS.UNAVAILABLE, 'server is shutting down try again later');
      await new Promise<void>((resolve) => {
        listener.close(() => resolve());
        cut();
      });
      grpc.forceShutdown();
    },
    setFault(next) {
      fault = next;
      if (next?.kind === 'unavailable' || next?.kind === 'drop_subscriptions') cut();
      for (const stream of streams) stream.flush();
    },
  };
}
