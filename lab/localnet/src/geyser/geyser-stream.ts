import { status as GRPC_STATUS, Metadata, type ServerDuplexStream } from '@grpc/grpc-js';
import { describeError } from '@lending/errors';
import type { SubscribeRequest } from '@triton-one/yellowstone-grpc';
import type { LedgerFeed } from './ledger-feed.ts';
import type { Update } from './to-update.ts';
import { FilterError, readFilters, type UpdateFilters } from './update-filters.ts';

export type SubscribeCall = ServerDuplexStream<SubscribeRequest, Update>;

export interface GeyserStreamOptions {
  readonly feed: LedgerFeed;
  /** Whether `fromSlot` is served. */
  readonly replays: boolean;
  /** Updates that may wait for a client that does not read; more ends its stream, as the plugin does. */
  readonly maxQueued: number;
  readonly pingMs: number;
  /** Whether nothing may be sent now, though the connection stands. */
  readonly isStalled: () => boolean;
  readonly onEnd: () => void;
}

/** Updates handed to gRPC and not yet to the socket. Its own mark of 16 would make every slot a hundred turns of the event loop. */
const MAX_IN_FLIGHT = 1_000;

/**
 * One client's `Subscribe` call. It is silent until the first request, which sets the filters; every later one replaces them. A full
 * queue, a request that makes no sense, and a slot to begin at that is gone end it with a status.
 */
export class GeyserStream {
  readonly #call: SubscribeCall;
  readonly #options: GeyserStreamOptions;
  readonly #unsubscribe: () => void;
  readonly #pings: NodeJS.Timeout;
  #filters: UpdateFilters | undefined;
  #queue: Update[] = [];
  #isEnded = false;

  constructor(call: SubscribeCall, options: GeyserStreamOptions) {
    this.#call = call;
    this.#options = options;
    // Clients wait for the headers before they say what they want.
    call.sendMetadata(new Metadata());
    this.#unsubscribe = options.feed.subscribe((message) => this.#send(this.#filters?.(message) ?? []));
    this.#pings = setInterval(() => this.#send([{ filters: [], ping: {} }]), options.pingMs);
    this.#pings.unref();
    call.on('data', (request: SubscribeRequest) => this.#receive(request));
    call.on('drain', () => this.flush());
    call.on('end', () => this.end());
    for (const event of ['cancelled', 'close', 'error']) call.on(event, () => this.#stop());
    this.#send([{ filters: [], ping: {} }]);
  }

  /** Sends what waits, as far as the client takes it. */
  flush(): void {
    let sent = 0;
    while (this.#call.writableLength < MAX_IN_FLIGHT && !(this.#isEnded || this.#options.isStalled())) {
      const update = this.#queue[sent];
      if (update === undefined) break;
      sent += 1;
      this.#call.write(update);
    }
    if (sent > 0) this.#queue = this.#queue.slice(sent);
  }

  /** Ends the stream well, or with a status. */
  end(code?: GRPC_STATUS, details = ''): void {
    if (this.#isEnded) return;
    this.#stop();
    if (code === undefined) this.#call.end();
    else this.#call.emit('error', { code, details });
  }

  #stop(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#queue = [];
    clearInterval(this.#pings);
    this.#unsubscribe();
    this.#options.onEnd();
  }

  #receive(request: SubscribeRequest): void {
    if (this.#isEnded) return;
    if (request.ping !== undefined) {
      this.#send([{ filters: [], pong: { id: request.ping.id } }]);
      return;
    }
    try {
      this.#filters = readFilters(request);
      if (request.fromSlot !== undefined) this.#replay(BigInt(request.fromSlot), this.#filters);
    } catch (error) {
      const code = error instanceof FilterError ? GRPC_STATUS.INVALID_ARGUMENT : GRPC_STATUS.INTERNAL;
      this.end(code, `failed to create filter: ${describeError(error)}`);
    }
  }

  #replay(fromSlot: bigint, filters: UpdateFilters): void {
    const { feed, replays } = this.#options;
    if (!replays) {
      this.end(GRPC_STATUS.INTERNAL, 'from_slot is not supported');
      return;
    }
    const first = feed.firstAvailable;
    if (first !== undefined && fromSlot < first) {
      const details = `broadcast from ${fromSlot} is not available, last available: ${first}`;
      this.end(GRPC_STATUS.OUT_OF_RANGE, details);
      return;
    }
    const messages = feed.replay(fromSlot);
    // The plugin takes an empty replay for a failed one.
    if (messages.length === 0) this.end(GRPC_STATUS.INTERNAL, 'failed to get replay response');
    else this.#send(messages.flatMap(filters));
  }

  #send(updates: readonly Update[]): void {
    if (this.#isEnded || updates.length === 0) return;
    this.#queue.push(...updates);
    this.flush();
    if (this.#queue.length + this.#call.writableLength > this.#options.maxQueued)
      this.end(GRPC_STATUS.INTERNAL, 'lagged to send an update');
  }
}
