/** One request that nobody who means well sends. */
export interface HostileRequest {
  /** Which door, for the count and the report. */
  readonly door: Door;
  /** The bytes, in as many writes. */
  readonly chunks: readonly Uint8Array[];
  /** It is no whole request, or the answer may be none: the server may wait, or hang up. */
  readonly isCut: boolean;
}

export const DOORS = ['rest', 'mcp', 'graphql', 'stream', 'pages', 'socket'] as const;
export type Door = (typeof DOORS)[number];

interface Parts {
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
