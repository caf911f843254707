import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { JSON_HEADERS } from './messages.ts';

/** Connects, sends a request whose body is as long as announced, or that much shorter, and goes on reading nothing. */
export async function sendAndKeep(
  url: URL,
  { body, missingBytes = 0 }: { readonly body: string; readonly missingBytes?: number },
): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  // What becomes of one that is cut off is the server's to bear.
  socket.on('error', () => {});
  await once(socket, 'connect');
  const lines = [
    `POST ${url.pathname} HTTP/1.1`,
    `host: ${url.host}`,
    ...Object.entries(JSON_HEADERS).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body) + missingBytes}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

/** Sockets that this process holds, both ends of those to itself. */
export function countSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
}
