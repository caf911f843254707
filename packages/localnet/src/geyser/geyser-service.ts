import {
  type handleBidiStreamingCall,
  type handleUnaryCall,
  type Metadata,
  type MethodDefinition,
  type ServerDuplexStream,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { describeError } from '@lending/errors';
import type { Commitment } from '@solana/kit';
import type { Block } from '#ledger/block.ts';
import type { Ledger } from '#ledger/ledger.ts';
import { readCommitment } from './commitment.ts';
import type { LedgerFeed } from './ledger-feed.ts';
import type { MessageType } from './protobuf.ts';
import { type SubscribeRequest, subscribeRequest } from './subscribe-request.ts';
import { encodeSubscribeUpdate, type SubscribeUpdate, subscribeUpdate } from './subscribe-update.ts';
import {
  blockHeightResponse,
  blockhashValidRequest,
  blockhashValidResponse,
  commitmentRequest,
  countMessage,
  emptyRequest,
  latestBlockhashResponse,
  replayInfoResponse,
  slotResponse,
  versionResponse,
} from './unary-messages.ts';

export interface GeyserService {
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
}

export interface GeyserServiceOptions {
  readonly ledger: Ledger;
  readonly feed: LedgerFeed;
  readonly subscribe: handleBidiStreamingCall<SubscribeRequest, SubscribeUpdate>;
  /** Whether `fromSlot` is served. */
  readonly replays: boolean;
  /** What calls must say in `x-token`; undefined lets everybody call. */
  readonly xToken: string | undefined;
}

const UNAUTHENTICATED = { code: status.UNAUTHENTICATED, details: 'No valid auth token' };

/** What asks for the plugin's version is told whom it speaks to. */
const VERSION = JSON.stringify({ version: { package: '@lending/localnet' } });

/** The calls of the protocol that are served: `Subscribe`, and those answered at once from the ledger. */
export function createGeyserService({ ledger, feed, subscribe, replays, xToken }: GeyserServiceOptions): GeyserService {
  const newest = (commitment: Commitment): Block =>
    ledger.blockAt(ledger.slot(commitment)) ?? (ledger.blocks.at(-1) as Block);
  const methods = {
    Ping: unary('Ping', countMessage, countMessage, ({ count }) => ({ count })),
    GetVersion: unary('GetVersion', emptyRequest, versionResponse, () => ({ version: VERSION })),
    GetSlot: unary('GetSlot', commitmentRequest, slotResponse, ({ commitment }) => ({
      slot: newest(readCommitment(commitment)).slot,
    })),
    GetBlockHeight: unary('GetBlockHeight', commitmentRequest, blockHeightResponse, ({ commitment }) => ({
      blockHeight: newest(readCommitment(commitment)).height,
    })),
    GetLatestBlockhash: unary('GetLatestBlockhash', commitmentRequest, latestBlockhashResponse, ({ commitment }) => ({
      slot: newest(readCommitment(commitment)).slot,
      ...ledger.latestBlockhash(readCommitment(commitment)),
    })),
    IsBlockhashValid: unary(
      'IsBlockhashValid',
      blockhashValidRequest,
      blockhashValidResponse,
      ({ blockhash, commitment }) => ({
        slot: newest(readCommitment(commitment)).slot,
        valid: ledger.isBlockhashValid(blockhash, readCommitment(commitment)),
      }),
    ),
    SubscribeReplayInfo: unary('SubscribeReplayInfo', emptyRequest, replayInfoResponse, () => ({
      firstAvailable: replays ? feed.firstAvailable : undefined,
    })),
  };
  const entries = Object.entries(methods);
  const isAllowed = (metadata: Metadata) => xToken === undefined || metadata.get('x-token')[0] === xToken;
  const guarded =
    <Q, A>(handle: handleUnaryCall<Q, A>): handleUnaryCall<Q, A> =>
    (call, callback) =>
      isAllowed(call.metadata) ? handle(call, callback) : callback(UNAUTHENTICATED);
  return {
    definition: {
      ...Object.fromEntries(entries.map(([name, { definition }]) => [name, definition])),
      Subscribe: {
        path: '/geyser.Geyser/Subscribe',
        requestStream: true,
        responseStream: true,
        ...codecs(subscribeRequest, subscribeUpdate),
        responseSerialize: (update: SubscribeUpdate) => Buffer.from(encodeSubscribeUpdate(update)),
      },
    },
    implementation: {
      ...Object.fromEntries(
        entries.map(([name, { handle }]) => [name, guarded(handle as handleUnaryCall<unknown, unknown>)]),
      ),
      Subscribe: (call: ServerDuplexStream<SubscribeRequest, SubscribeUpdate>) =>
        isAllowed(call.metadata) ? subscribe(call) : call.emit('error', UNAUTHENTICATED),
    },
  };
}

function unary<Q, A>(name: string, request: MessageType<Q>, answer: MessageType<A>, respond: (request: Q) => A) {
  const definition: MethodDefinition<Q, A> = {
    path: `/geyser.Geyser/${name}`,
    requestStream: false,
    responseStream: false,
    ...codecs(request, answer),
  };
  const handle: handleUnaryCall<Q, A> = (call, callback) => {
    try {
      callback(null, respond(call.request));
    } catch (error) {
      callback({ code: status.INVALID_ARGUMENT, details: describeError(error) });
    }
  };
  return { definition, handle };
}

function codecs<Q, A>(request: MessageType<Q>, answer: MessageType<A>) {
  return {
    requestSerialize: (value: Q) => Buffer.from(request.encode(value)),
    requestDeserialize: (bytes: Buffer) => request.decode(bytes),
    responseSerialize: (value: A) => Buffer.from(answer.encode(value)),
    responseDeserialize: (bytes: Buffer) => answer.decode(bytes),
  };
}
