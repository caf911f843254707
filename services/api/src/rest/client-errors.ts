import type { Socket } from 'node:net';
import { LendingError, toWireError, wireStatus } from '@lending/errors';
import { docsBaseOf } from './docs-base.ts';

/** What the HTTP parser refuses, with the wire's words; Node names it by these codes. */
const REFUSALS: Readonly<Record<string, readonly [wrong: string, allowed: string]>> = {
  HPE_HEADER_OVERFLOW: ['The request line and headers are too long', 'up to 16 KiB of both together'],
  HPE_INVALID_METHOD: ['The method does not exist', 'GET and POST'],
  ERR_HTTP_REQUEST_TIMEOUT: ['The request did not arrive whole in time', 'a request sent without pauses'],
};
const MALFORMED = ['The request is not HTTP', 'HTTP/1.1'] as const;

/**
 * Answers a connection whose bytes never became a request, with the same body as every other error, and ends it.
 * There is no request or reply yet, so the answer is written by hand.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // Who did not come as far as TLS can be told nothing: plain HTTP, a certificate he does not believe, a handshake that takes too long.
  const isUnheard = /^ERR_(SSL|TLS)_/.test(error.code ?? '');
  if (isUnheard || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const [wrong, allowed] = REFUSALS[error.code ?? ''] ?? MALFORMED;
  const body = toWireError(
    new LendingError('TOOL__INPUT_INVALID', {
      message: `${wrong} — allowed: ${allowed} — correct the request and send it again`,
      cause: error,
    }),
    docsBaseOf(null),
  );
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${wireStatus(body.code)} Bad Request`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'cache-control: no-store',
    'connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
  socket.destroySoon();
}
