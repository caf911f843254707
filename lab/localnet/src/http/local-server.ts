import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as SocketServer } from 'node:net';
import { fromSystemError } from '@lending/runtime';

/** Nothing outside the machine may reach a chain that signs for anybody. */
export const HOST = '127.0.0.1';
export const MAX_BODY_BYTES = 1024 * 1024;

/** A server of this machine alone. */
export interface LocalServer {
  readonly http: Server;
  /** Resolves with the port once it listens; 0 takes a free one. */
  listen(port: number): Promise<number>;
  close(): Promise<void>;
}

/** Builds it without listening. What `answer` throws cuts the connection. */
export function createLocalServer(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): LocalServer {
  const http = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return {
    http,
    listen: (port) => listen(http, port),
    async close() {
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

/** @throws RUNTIME__PORT_UNAVAILABLE when the port is taken. */
export function listen(server: SocketServer, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(fromSystemError(error)));
    server.listen(port, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

/** The body as text; undefined when it is too long. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The rest is read and dropped: a client that is still sending would never see the answer.
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

/** The body as JSON; undefined when it is none, or too long. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = await readBody(request);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
