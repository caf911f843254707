import type { Dice } from '../builders/dice.ts';
import { requestBytes } from './exchange.ts';
import { mutilate } from './odd-values.ts';

const text = (value: string) => Buffer.from(value, 'latin1');
const GOOD = requestBytes({ method: 'GET', path: '/v1/banks?limit=1' });
const POSTED = requestBytes({
  method: 'POST',
  path: '/v1/tx/deposit',
  headers: [['content-type', 'application/json']],
  body: '{}',
});

/** Bytes that are hardly HTTP: two lengths, other protocols, requests in requests, headers without end, halves. */
export const SOCKET_SHAPES: readonly ((dice: Dice) => readonly Uint8Array[])[] = [
  (dice) => [mutilate(dice, GOOD)],
  (dice) => [mutilate(dice, POSTED)],
  (dice) => [Uint8Array.from({ length: dice.between(1, 3_000) }, () => dice.below(256))],
  // A TLS hello, HTTP/2, SSH, a SOCKS greeting, Postgres and Redis.
  () => [Buffer.from('16030100a5010000a10303', 'hex')],
  () => [text('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
  () => [text('SSH-2.0-x\r\n')],
  () => [Buffer.from('050100', 'hex')],
  () => [Buffer.from('0000000804d2162f', 'hex')],
  () => [text('*1\r\n$4\r\nPING\r\n')],
  // Whoever stands before us may read these otherwise than we do.
  () => [
    text(
      'POST /v1/tx/deposit HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
    ),
  ],
  () => [text('POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\n{}{}x')],
  () => [
    text(
      'POST /mcp HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\nzz\r\n',
    ),
  ],
  () => [text('POST /graphql HTTP/1.1\r\nhost: a\r\ntransfer-encoding: xchunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n')],
  () => [text('POST /mcp HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n')],
  () => [text('GET / HTTP/1.1\r\nhost: a\r\n folded: b\r\n\r\n')],
  () => [text('GET / HTTP/1.1\nhost: a\n\n')],
  () => [text('GET / HTTP/9.9\r\nhost: a\r\n\r\n')],
  () => [text('GET / HTTP/1.0\r\n\r\n')],
  () => [text('GET /v1/banks HTTP/1.1\r\n\r\n')],
  () => [text('GET http://evil.example/v1/banks HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n')],
  () => [text('GET //evil.example/%2e%2e HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')],
  () => [text('CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n')],
  () => [text('OPTIONS /nothing HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n')],
  () => [text('OPTIONS * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')],
  () => [
    text('GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x\r\n\r\n'),
  ],
  () => [
    text(
      'GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n\r\n',
    ),
  ],
  () => [
    text(
      'POST /v1/tx/loop HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
    ),
  ],
  () => [
    text('POST /v1/tx/loop HTTP/1.1\r\nhost: a\r\nexpect: magic\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}'),
  ],
  () => [text(`GET / HTTP/1.1\r\nhost: a\r\n${'x-a: b\r\n'.repeat(3_000)}\r\n`)],
  () => [text(`GET / HTTP/1.1\r\nhost: a\r\nx-a: ${'b'.repeat(40_000)}\r\n\r\n`)],
  () => [text(`GET /${'a'.repeat(40_000)} HTTP/1.1\r\nhost: a\r\n\r\n`)],
  () => [text('GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n')],
  () => [text('GET / HTTP/1.1\r\nhost: a\r\nx\0y: z\r\n\r\n')],
  () => [
    text(
      `${'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(200)}GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
    ),
  ],
  (dice) => [GOOD.subarray(0, dice.between(1, GOOD.length - 1))],
  (dice) => [POSTED.subarray(0, dice.between(1, POSTED.length - 1))],
  (dice) => {
    const at = dice.between(1, POSTED.length - 1);
    return [POSTED.subarray(0, at), POSTED.subarray(at)];
  },
  () => [],
];
