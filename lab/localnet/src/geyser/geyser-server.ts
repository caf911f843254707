import { createServer, type Socket } from 'node:net';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import {
  status as GRPC_STATUS,
  type handleUnaryCall,
  type Metadata,
  Server,
  ServerCredentials,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import {
  GetSlotRequest,
  GetSlotResponse,
  SubscribeRequest,
  SubscribeRequest_SlotsEntry,
  SubscribeUpdate,
} from '@triton-one/yellowstone-grpc';
import { listen } from '#http/local-server.ts';
import type { Ledger } from '#ledger/ledger.ts';
import type { Fault } from '#rpc/fault.ts';
import { GeyserStream, type SubscribeCall } from './geyser-stream.ts';
import { LedgerFeed } from './ledger-feed.ts';

interface MessageType<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

const UNAUTHENTICATED = { code: GRPC_STATUS.UNAUTHENTICATED, details: 'No valid auth token' };
/** Commitments, as the protocol counts them. */
const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;

/** The calls of the protocol that are served, with the messages of the published client: what is on the wire is what it reads. */
const SERVICE: ServiceDefinition = {
  GetSlot: method('GetSlot', false, GetSlotRequest, GetSlotResponse),
  Subscribe: method('Subscribe', true, { ...SubscribeRequest, decode: decodeRequest }, SubscribeUpdate),
};

export interface GeyserOptions {
  /** What calls must say in `x-token`; without it every client may call. */
  readonly xToken?: string;
  /** Confirmed slots that can be sent again from `fromSlot`, default 150, and never less than those not yet final; 0 serves none. */
  readonly retainedSlots?: number;
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
  const { xToken, retainedSlots = 150, maxQueued = 100_000, pingMs = 10_000 } = options;
  const replays = retainedSlots > 0;
  const feed = new LedgerFeed(ledger, retainedSlots);
  const streams = new Set<GeyserStream>();
  const sockets = new Set<Socket>();
  let fault: Fault | null = null;

  function subscribe(call: SubscribeCall): void {
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

  const isAllowed = (metadata: Metadata) => xToken === undefined || metadata.get('x-token')[0] === xToken;
  const getSlot: handleUnaryCall<GetSlotRequest, GetSlotResponse> = ({ metadata, request }, answer) => {
    const slot = ledger.slot(COMMITMENTS[Number(request.commitment ?? 0)] ?? 'processed');
    return isAllowed(metadata) ? answer(null, { slot: `${slot}` }) : answer(UNAUTHENTICATED);
  };
  const grpc = new Server();
  grpc.addService(SERVICE, {
    GetSlot: getSlot,
    Subscribe: (call: SubscribeCall) =>
      isAllowed(call.metadata) ? subscribe(call) : call.emit('error', UNAUTHENTICATED),
  });
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
    listen: (port) => listen(listener, port),
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

function method<Q, A>(name: string, isStream: boolean, request: MessageType<Q>, answer: MessageType<A>) {
  return {
    path: `/geyser.Geyser/${name}`,
    requestStream: isStream,
    responseStream: isStream,
    requestSerialize: (value: Q) => Buffer.from(request.encode(value).finish()),
    requestDeserialize: (bytes: Buffer) => request.decode(bytes),
    responseSerialize: (value: A) => Buffer.from(answer.encode(value).finish()),
    responseDeserialize: (bytes: Buffer) => answer.decode(bytes),
  };
}

/** A request's maps by their field numbers. */
const MAPS = {
  1: 'accounts',
  2: 'slots',
  3: 'transactions',
  4: 'blocks',
  5: 'blocksMeta',
  8: 'entry',
  10: 'transactionsStatus',
} as const;

/** A request as the client wrote it. The published reader loses filters that say nothing: no bytes stand for an empty message in a map. */
function decodeRequest(bytes: Uint8Array): SubscribeRequest {
  const request = SubscribeRequest.decode(bytes);
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    const map = MAPS[field as keyof typeof MAPS];
    if (map === undefined) {
      reader.skip(wireType, field);
      continue;
    }
    // All maps have their keys in the same place.
    const { key } = SubscribeRequest_SlotsEntry.decode(reader.bytes());
    if (!(key in request[map])) Object.assign(request[map], SubscribeRequest.fromJSON({ [map]: { [key]: {} } })[map]);
  }
  return request;
}
