import type { IncomingMessage } from 'node:http';

/** What came with a request to `/mcp`, read before anything else of it is looked at. */
export interface McpBody {
  /** As it was sent: of a malformed one the protocol library reads it again, because that is answered in its words. */
  readonly text: string;
  /** What it says; undefined where it is no JSON. */
  readonly json: unknown;
  /** Messages in it: those of a batch, or one, whatever it is. */
  readonly messages: number;
  readonly isBatch: boolean;
  /** Whether a client of the 2025 revisions begins with it. */
  readonly isInitialize: boolean;
  /** The tools that it calls, where it does nothing else; null where it does. */
  readonly calledTools: ReadonlySet<string> | null;
}

const NO_BODY: McpBody = {
  text: '',
  json: undefined,
  messages: 1,
  isBatch: false,
  isInitialize: false,
  calledTools: null,
};

/** Shape: null where it is longer than `mostBytes`; what follows is left unread. */
export async function readMcpBody(request: IncomingMessage, mostBytes: number): Promise<McpBody | null> {
  if (request.method !== 'POST') return NO_BODY;
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return null;
  const bytes = await readBytes(request, mostBytes);
  return bytes === null ? null : describeBody(new TextDecoder().decode(bytes));
}

/** Reads by events: the stream's own iterator closes the connection when it is left early, and with it the answer. */
function readBytes(request: IncomingMessage, most: number): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (bytes: Buffer | null) => {
      request.off('data', take).off('end', end).off('close', end).off('error', end);
      request.pause();
      resolve(bytes);
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length > most) finish(null);
      else chunks.push(chunk);
    };
    // Cut off in the middle it is no JSON, and nobody reads what is answered.
    const end = () => finish(Buffer.concat(chunks));
    request.on('data', take).on('end', end).on('close', end).on('error', end);
  });
}

function describeBody(text: string): McpBody {
  const json = parseJson(text);
  const isBatch = Array.isArray(json);
  const messages: readonly unknown[] = isBatch ? json : [json];
  const called = messages.map(calledToolOf);
  return {
    text,
    json,
    messages: Math.max(1, messages.length),
    isBatch,
    isInitialize: !isBatch && methodOf(json) === 'initialize',
    calledTools: called.includes(null) ? null : new Set(called as readonly string[]),
  };
}

function methodOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'method' in message ? message.method : undefined;
}

function calledToolOf(message: unknown): string | null {
  if (methodOf(message) !== 'tools/call') return null;
  const { params } = message as { readonly params?: { readonly name?: unknown } | null };
  return typeof params?.name === 'string' ? params.name : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
