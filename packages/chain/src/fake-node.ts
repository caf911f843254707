import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

interface RpcRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What the node does with one request instead of answering it. */
type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'hang' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'garbage' }
  | { readonly kind: 'error'; readonly code: number; readonly message: string };

interface FakeSubscription {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly id: number;
  readonly socket: WebSocket;
}

/** A JSON-RPC and PubSub server that does what a test tells it to. It listens on a free port of 127.0.0.1. */
export interface FakeNode {
  readonly url: string;
  readonly wsUrl: string;
  readonly requests: RpcRequest[];
  /** Faults for the next requests, first one first; genesis checks are not counted. */
  readonly faults: Fault[];
  /** A fault for every request. */
  permanentFault: Fault | undefined;
  /** Answers by method. */
  readonly answers: Map<string, (params: readonly unknown[]) => unknown>;
  readonly sockets: Set<WebSocket>;
  /** Subscriptions that were acknowledged, newest last, over the node's whole life. */
  readonly subscriptions: FakeSubscription[];
  /** Subscriptions that were given up by the client. */
  readonly unsubscribed: Set<number>;
  /** Whether a subscription is refused with an error. */
  refuses: (method: string, params: readonly unknown[]) => boolean;
  acceptsSubscriptions: boolean;
  /** Sockets stay open, and nothing is told on them. */
  isMuted: boolean;
  /** How long `programSubscribe` waits for its acknowledgement. */
  acknowledgeDelayMs: number;
  notifySlot(slot: number, root?: number): void;
  notifyAccount(slot: number, pubkey: string, data: Uint8Array, lamports?: number): void;
  /** The clock of a confirmed slot. */
  notifyClock(slot: number): void;
  /** Tells one subscription. */
  notifyOne(subscription: FakeSubscription, result: unknown): void;
  notifyLogs(slot: number, signature: string, logs: readonly string[], isFailed?: boolean): void;
  dropSockets(): void;
  countOf(method: string): number;
  close(): Promise<void>;
}

export async function startFakeNode({ genesisHash = 'genesis-a', port = 0 } = {}): Promise<FakeNode> {
  const requests: RpcRequest[] = [];
  const faults: Fault[] = [];
  const hanging = new Set<ServerResponse>();
  const answers = new Map<string, (params: readonly unknown[]) => unknown>([
    ['getGenesisHash', () => genesisHash],
    ['getSlot', () => 100],
  ]);
  const sockets = new Set<WebSocket>();
  const subscriptions: FakeNode['subscriptions'] = [];

  async function onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = JSON.parse(Buffer.concat(await request.toArray()).toString()) as RpcRequest;
    requests.push(call);
    const fault = node.permanentFault ?? (call.method === 'getGenesisHash' ? undefined : faults.shift());
    if (fault !== undefined) return misbehave(fault, call, response);
    const answer = answers.get(call.method);
    if (answer === undefined)
      return sendJson(response, { jsonrpc: '2.0', id: call.id, error: { code: -32601, message: 'Method not found' } });
    sendJson(response, { jsonrpc: '2.0', id: call.id, result: await answer(call.params) });
  }

  function misbehave(fault: Fault, call: RpcRequest, response: ServerResponse): void {
    if (fault.kind === 'hang') hanging.add(response);
    else if (fault.kind === 'drop') response.socket?.destroy();
    else if (fault.kind === 'garbage') response.writeHead(200).end('<html>busy</html>');
    else if (fault.kind === 'status') response.writeHead(fault.status, { ...fault.headers }).end('no');
    else sendJson(response, { jsonrpc: '2.0', id: call.id, error: { code: fault.code, message: fault.message } });
  }

  const server = createServer((request, response) => void onRequest(request, response));
  const pubsub = new WebSocketServer({ server });
  let nextSubscription = 0;
  pubsub.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('message', (text) => {
      const call = JSON.parse(String(text)) as RpcRequest;
      if (call.method?.endsWith('Unsubscribe')) node.unsubscribed.add(Number(call.params[0]));
      if (!call.method?.endsWith('Subscribe') || !node.acceptsSubscriptions) return;
      if (node.refuses(call.method, call.params)) {
        const error = { code: -32_601, message: 'Method not found' };
        return socket.send(JSON.stringify({ jsonrpc: '2.0', id: call.id, error }));
      }
      nextSubscription += 1;
      const id = nextSubscription;
      const acknowledge = () => {
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: call.id, result: id }));
        subscriptions.push({ method: call.method, params: call.params, id, socket });
      };
      if (call.method === 'programSubscribe') setTimeout(acknowledge, node.acknowledgeDelayMs).unref();
      else acknowledge();
    });
  });

  function notify(method: string, result: unknown): void {
    for (const one of subscriptions) if (one.method === `${method}Subscribe`) notifyOne(one, result);
  }

  function notifyOne({ method: subscribe, id, socket }: FakeSubscription, result: unknown): void {
    if (node.isMuted || socket.readyState !== socket.OPEN) return;
    const method = subscribe.replace('Subscribe', 'Notification');
    socket.send(JSON.stringify({ jsonrpc: '2.0', method, params: { result, subscription: id } }));
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const node: FakeNode = {
    url: `http://${host}/rpc/secret-key`,
    wsUrl: `ws://${host}/ws/secret-key`,
    requests,
    faults,
    permanentFault: undefined,
    answers,
    sockets,
    subscriptions,
    unsubscribed: new Set(),
    refuses: () => false,
    acceptsSubscriptions: true,
    isMuted: false,
    acknowledgeDelayMs: 0,
    notifySlot: (slot, root = slot - 32) => notify('slot', { slot, parent: slot - 1, root }),
    notifyAccount: (slot, pubkey, data, lamports = 1) =>
      notify('program', { context: { slot }, value: { pubkey, account: toRpcAccount(data, lamports) } }),
    notifyClock: (slot) => notify('account', { context: { slot }, value: toRpcAccount(new Uint8Array(40)) }),
    notifyOne,
    notifyLogs: (slot, signature, logs, isFailed = false) => {
      const err = isFailed ? { InstructionError: [0, { Custom: 6009 }] } : null;
      notify('logs', { context: { slot }, value: { signature, err, logs } });
    },
    dropSockets: () => {
      for (const socket of sockets) socket.terminate();
    },
    countOf: (method) => requests.filter((request) => request.method === method).length,
    async close() {
      for (const socket of sockets) socket.terminate();
      for (const response of hanging) response.destroy();
      pubsub.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return node;
}

/** An account as a node sends it, owned by the System program. */
export function toRpcAccount(data: Uint8Array, lamports = 1) {
  return {
    data: [Buffer.from(data).toString('base64'), 'base64'],
    executable: false,
    lamports,
    owner: '11111111111111111111111111111111',
    rentEpoch: 0,
    space: data.length,
  };
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
