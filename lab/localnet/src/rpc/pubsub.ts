import { describeError } from '@lending/errors';
import type { WebSocket } from 'ws';
import type { LedgerEvent } from '#ledger/ledger-event.ts';
import type { Fault } from './fault.ts';
import { stringifyJson } from './json.ts';
import { errorReply, parseJson, type RpcCall, readCall } from './json-rpc.ts';
import { JsonRpcError, rpcErrors } from './json-rpc-error.ts';
import type { NodeLedger } from './node-ledger.ts';
import { notificationsFor } from './notifications.ts';
import { readSubscription, readUnsubscription, type Subscription } from './subscription.ts';

/** A socket that does not read is cut, as validators do, before it fills the memory. */
const MAX_BUFFERED_BYTES = 32 * 1024 * 1024;
const MAX_SUBSCRIPTIONS = 10_000;

export interface PubSubOptions {
  readonly ledger: NodeLedger;
  readonly fault: () => Fault | null;
  readonly report: (line: string) => void;
}

/** The subscriptions of all sockets. */
export class PubSub {
  readonly #options: PubSubOptions;
  readonly #sockets = new Map<WebSocket, Map<number, Subscription>>();
  readonly #unsubscribe: () => void;
  #lastId = 0;

  constructor(options: PubSubOptions) {
    this.#options = options;
    this.#unsubscribe = options.ledger.subscribe((event) => this.#publish(event));
  }

  attach(socket: WebSocket): void {
    this.#sockets.set(socket, new Map());
    socket.on('message', (data) => this.#receive(socket, data.toString()));
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.terminate());
  }

  /** Cuts every socket without a goodbye. */
  dropAll(): void {
    for (const socket of this.#sockets.keys()) socket.terminate();
  }

  close(): void {
    this.#unsubscribe();
    this.dropAll();
  }

  #receive(socket: WebSocket, text: string): void {
    const value = parseJson(text);
    const call = value instanceof JsonRpcError ? value : readCall(value);
    if (call instanceof JsonRpcError) {
      this.#send(socket, errorReply(null, call));
      return;
    }
    // Kit keeps its socket alive with `ping` notifications, which want no answer.
    if (call.id === undefined) return;
    try {
      this.#answer(socket, call);
    } catch (error) {
      if (!(error instanceof JsonRpcError)) this.#options.report(`${call.method}: ${describeError(error)}`);
      this.#send(socket, errorReply(call.id, error instanceof JsonRpcError ? error : rpcErrors.internal()));
    }
  }

  #answer(socket: WebSocket, { id, method, params }: RpcCall): void {
    const subscriptions = this.#sockets.get(socket);
    if (subscriptions === undefined) return;
    const gone = readUnsubscription(method, params);
    if (gone !== undefined) {
      if (!subscriptions.delete(gone)) throw rpcErrors.invalidParams('Invalid subscription id.');
      this.#send(socket, { jsonrpc: '2.0', result: true, id });
      return;
    }
    const subscription = readSubscription(method, params);
    if (subscription === undefined) throw rpcErrors.methodNotFound();
    if (subscriptions.size >= MAX_SUBSCRIPTIONS)
      throw new JsonRpcError(-32603, 'Internal error: too many subscriptions');
    this.#lastId += 1;
    const subscriptionId = this.#lastId;
    this.#send(socket, { jsonrpc: '2.0', result: subscriptionId, id });
    subscriptions.set(subscriptionId, subscription);
  }

  #publish(event: LedgerEvent): void {
    const fault = this.#options.fault();
    for (const [socket, subscriptions] of this.#sockets) {
      for (const [id, subscription] of subscriptions) {
        if (isMute(fault, subscription)) continue;
        for (const result of notificationsFor(this.#options.ledger, subscription, event)) {
          this.#notify(socket, subscription.kind, id, result);
        }
      }
    }
  }

  #notify(socket: WebSocket, kind: Subscription['kind'], subscription: number, result: unknown): void {
    this.#send(socket, { jsonrpc: '2.0', method: `${kind}Notification`, params: { result, subscription } });
  }

  #send(socket: WebSocket, value: unknown): void {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate();
    else socket.send(stringifyJson(value));
  }
}

function isMute(fault: Fault | null, { kind }: Subscription): boolean {
  return fault?.kind === 'mute_subscriptions' && (fault.kinds === undefined || fault.kinds.includes(kind));
}
