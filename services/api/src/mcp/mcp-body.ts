import type { IncomingMessage } from 'node:http';

/** What came with a request to `/mcp`, read before anything else of it is looked at. */
export interface McpBody {
  /** As it was sent; the protocol library reads it again, because a malformed one is answered in its words. */
  readonly text: string;
  /** Messages in it: those of a batch, or one, whatever it is. */
  readonly messages: number;
  readonly isBatch: boolean;
  /** Whether a client of the 2025 revisions begins with it. */
  readonly isInitialize: boolean;
}

const NO_BODY: McpBody = { text: '', messages: 1, isBatch: false, isInitialize: false };

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
  if (Array.isArray(json)) return { text, messages: Math.max(1, json.length), isBatch: true, isInitialize: false };
  const method = typeof json === 'object' && json !== null && 'method' in json ? json.method : undefined;
  return { text, messages: 1, isBatch: false, isInitialize: method === 'initialize' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
