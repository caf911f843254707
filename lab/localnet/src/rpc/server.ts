import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { createLocalServer, MAX_BODY_BYTES, readBody } from '#http/local-server.ts';
import { BundleLog } from '#ledger/bundle-log.ts';
import type { Ledger } from '#ledger/ledger.ts';
import { createFaucet } from './faucet.ts';
import type { Fault } from './fault.ts';
import { answerJson, type RpcHandlerOptions } from './json-rpc.ts';
import { LaggingLedger } from './lagging-ledger.ts';
import { PubSub } from './pubsub.ts';

export interface RpcServerOptions {
  readonly ledger: Ledger;
  readonly report: (line: string) => void;
}

/** JSON-RPC over HTTP and PubSub over WebSocket, both on one port (validators use two; clients are told both URLs anyway). */
export interface RpcServer {
  /** Resolves with the port once it listens; 0 takes a free one. */
  listen(port: number): Promise<number>;
  close(): Promise<void>;
  setFault(fault: Fault | null): void;
}

/** Builds the server without listening. */
export function createRpcServer({ ledger, report }: RpcServerOptions): RpcServer {
  let fault: Fault | null = null;
  const seen = new LaggingLedger(ledger);
  const node = { ledger: seen, bundles: new BundleLog(), faucet: createFaucet() };
  const handler: RpcHandlerOptions = { node, fault: () => fault, report };
  const pubsub = new PubSub({ ledger: seen, fault: () => fault, report });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES });
  const server = createLocalServer((request, response) => answerHttp(request, response, handler));
  const { http } = server;
  http.on('connection', (socket) => {
    if (fault?.kind === 'down') socket.destroy();
  });
  http.on('upgrade', (request, socket, head) => {
    if (fault?.kind === 'unavailable') return socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
    return sockets.handleUpgrade(request, socket, head, (opened) => pubsub.attach(opened));
  });

  return {
    listen: server.listen,
    async close() {
      pubsub.close();
      seen.close();
      await server.close();
    },
    setFault(next) {
      fault = next;
      seen.fallBehind(next?.kind === 'lagging' ? next.slots : 0);
      if (next?.kind === 'unavailable' || next?.kind === 'drop_subscriptions') pubsub.dropAll();
      if (next?.kind !== 'down') return;
      pubsub.dropAll();
      http.closeAllConnections();
    },
  };
}

async function answerHttp(
  request: IncomingMessage,
  response: ServerResponse,
  handler: RpcHandlerOptions,
): Promise<void> {
  const fault = handler.fault();
  if (fault?.kind === 'unavailable') return end(response, 503, 'Service Unavailable');
  if (fault?.kind === 'slow') await sleep(fault.delayMs);
  if (request.method !== 'POST')
    return end(response, 405, 'Used HTTP Method is not allowed. POST or OPTIONS is required');
  const body = await readBody(request);
  if (body === undefined) return end(response, 413, 'request body too large');
  const reply = await answerJson(body, handler);
  if (reply === undefined) return end(response, 204, '');
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(reply);
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' });
  response.end(text);
}
