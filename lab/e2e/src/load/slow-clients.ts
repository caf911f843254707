import { once } from 'node:events';
import { connect } from 'node:net';
import { asClient } from './loaded-service.ts';

/** A client that keeps the service waiting. */
export interface SlowClient {
  readonly kind: SlowKind;
  /** All that it was told so far. */
  readonly heard: () => string;
  /** Resolves when its connection is closed. */
  readonly ended: Promise<void>;
  leave(): void;
}

/** Sends the head of a request byte by byte, or its body, or reads what it asked for byte by byte. */
export type SlowKind = 'head' | 'body' | 'reader';

const BYTE_EVERY_MS = 250;
/** Answers that a reader asks for at once: far more than the system keeps for it. */
const ASKED = 30;

export async function connectSlowly(url: URL, kind: SlowKind, address: string): Promise<SlowClient> {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  // Not `once` of `node:events`, which rejects where a byte is sent to who has closed: to be closed is what is waited for.
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  socket.once('close', () => end());
  const heads = Object.entries({ host: url.host, ...asClient(address) }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  let heard = '';
  const beat = setInterval(() => step(), BYTE_EVERY_MS);
  void ended.then(() => clearInterval(beat));
  const step = begin();

  function begin(): () => void {
    switch (kind) {
      case 'head':
        return drip(`GET /v1/banks HTTP/1.1\r\n${heads.join('')}x-filler: ${'a'.repeat(10_000)}`);
      case 'body':
        socket.write(
          `POST /mcp HTTP/1.1\r\n${heads.join('')}content-type: application/json\r\ncontent-length: 5000\r\n\r\n`,
        );
        return drip(`{"filler": "${'a'.repeat(10_000)}`);
      case 'reader':
        socket.pause();
        socket.write(`GET /v1/openapi.json HTTP/1.1\r\n${heads.join('')}\r\n`.repeat(ASKED));
        return () => void socket.read(1);
      default:
        return kind satisfies never;
    }
  }

  function drip(text: string): () => void {
    socket.on('data', (chunk) => (heard += String(chunk)));
    let at = 0;
    return () => {
      if (!socket.destroyed) socket.write(text[at] ?? 'a');
      at += 1;
    };
  }

  return { kind, heard: () => heard, ended, leave: () => socket.destroy() };
}
