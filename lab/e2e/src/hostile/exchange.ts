import { connect } from 'node:net';

/** One answer of an HTTP server as its bytes were. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; several of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came back. */
export interface Exchange {
  readonly answers: readonly RawAnswer[];
  /** What came, whatever it is. */
  readonly text: string;
  /** How it ended: the server closed, a stream was left by us, or nothing more came in time. */
  readonly ended: 'closed' | 'left' | 'silent';
}

/** What no client that means well sends. */
export interface HostileRequest {
  /** The bytes, in as many writes. */
  readonly chunks: readonly Uint8Array[];
  /**
   * It is no whole request, or the answer may be none: the server may wait, or hang up. Our side ends once the bytes are written, so that half
   * a request stays half.
   */
  readonly isCut?: boolean;
}

/** Only a hang takes so long: the explorer is first rendered, which on a busy machine is half a minute. */
const TIMEOUT_MS = 90_000;
/** How long an event stream is listened to. */
const LISTEN_MS = 30;

/** Sends bytes as they are, which no HTTP client does, and takes what comes until the connection ends. */
export function exchange(port: number, { chunks, isCut = false }: HostileRequest): Promise<Exchange> {
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    let ended: Exchange['ended'] = 'closed';
    const leave = (how: Exchange['ended']) => {
      ended = how;
      socket.destroy();
    };
    const timer = setTimeout(() => leave('silent'), TIMEOUT_MS);
    let listening: NodeJS.Timeout | undefined;
    socket.on('connect', () => {
      for (const chunk of chunks) socket.write(chunk);
      if (isCut) socket.end();
    });
    socket.on('data', (data) => {
      received.push(data);
      if (listening === undefined && /content-type: text\/event-stream/i.test(data.toString('latin1'))) {
        listening = setTimeout(() => leave('left'), LISTEN_MS);
      }
    });
    // A server may well cut off who sends nonsense; what it said before counts.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      clearTimeout(listening);
      const bytes = Buffer.concat(received);
      resolve({ answers: parseAnswers(bytes), text: bytes.toString('utf8'), ended });
    });
  });
}

/** Answers one after the other, as a server sends them to requests that came one after the other. */
function parseAnswers(bytes: Buffer): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const head = (end === -1 ? rest : rest.subarray(0, end)).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head[0] ?? '')?.[1] ?? Number.NaN);
    if (Number.isNaN(status)) throw new Error(`The server answered no HTTP: ${head[0]?.slice(0, 200)}`);
    const headers: Record<string, string> = {};
    for (const line of head.slice(1)) {
      const colon = line.indexOf(':');
      const name = line.slice(0, colon).toLowerCase();
      const value = line.slice(colon + 1).trim();
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
    }
    const after = end === -1 ? Buffer.alloc(0) : rest.subarray(end + 4);
    const { body, length } = readBody(after, headers, status);
    answers.push({ status, headers, body });
    rest = after.subarray(length);
  }
  return answers;
}

function readBody(
  after: Buffer,
  headers: Readonly<Record<string, string>>,
  status: number,
): { readonly body: string; readonly length: number } {
  if (status < 200 || status === 204 || status === 304) return { body: '', length: 0 };
  if (headers['transfer-encoding']?.includes('chunked')) return readChunks(after);
  const length = headers['content-length'] === undefined ? after.length : Number(headers['content-length']);
  // An answer to HEAD names a length and has no body: then another answer, or nothing, follows.
  if (after.length === 0 || after.subarray(0, 7).toString('latin1') === 'HTTP/1.') return { body: '', length: 0 };
  return { body: after.subarray(0, length).toString('utf8'), length: Math.min(length, after.length) };
}

function readChunks(after: Buffer): { readonly body: string; readonly length: number } {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = after.indexOf('\r\n', at);
    const size = end === -1 ? Number.NaN : Number.parseInt(after.subarray(at, end).toString('latin1'), 16);
    if (Number.isNaN(size)) return { body: Buffer.concat(parts).toString('utf8'), length: after.length };
    if (size === 0) return { body: Buffer.concat(parts).toString('utf8'), length: Math.min(end + 4, after.length) };
    parts.push(after.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
    if (at >= after.length) return { body: Buffer.concat(parts).toString('utf8'), length: after.length };
  }
}

/** What a request is made of. */
export interface Parts {
  readonly method: string;
  /** As it is sent: nothing is encoded. */
  readonly path: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
}

/** A request as bytes, with whatever is in its parts; the connection ends with the answer. */
export function requestBytes({ method, path, headers = [], body }: Parts): Uint8Array {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body as string);
  const own: (readonly [string, string])[] = [
    ...(names.has('host') ? [] : [['host', 'localhost'] as const]),
    ...(names.has('connection') ? [] : [['connection', 'close'] as const]),
    ...(body === undefined || names.has('content-length') || names.has('transfer-encoding')
      ? []
      : [['content-length', String(bytes.length)] as const]),
  ];
  const lines = [...own, ...headers].map(([name, value]) => `${name}: ${value}`);
  // What is no Latin-1 stays the bytes of its UTF-8.
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'utf8');
  return Buffer.concat([head, bytes]);
}
