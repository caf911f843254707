import { inChildSpan } from '@lending/tracing';
import { requestSpan } from '#request-span.ts';

/** What a request is made with: the global `fetch`, or a test's. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface JsonRequest {
  readonly fetch: Fetch;
  readonly url: string;
  /** Sent as JSON by POST; absent asks by GET. */
  readonly body?: unknown;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Asks a stranger for JSON: follows no redirect, and reads no more than was expected.
 * @throws Error saying what was wrong with the answer; whatever `fetch` throws.
 */
export function fetchJson({ fetch, url, body, maxBytes, signal }: JsonRequest): Promise<unknown> {
  const method = body === undefined ? 'GET' : 'POST';
  return inChildSpan(
    'lending.transactions',
    () => requestSpan(method, url),
    async (span) => {
      const post = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const response = await fetch(url, { redirect: 'error', signal, ...(body === undefined ? {} : post) });
      span.setAttribute('http.response.status_code', response.status);
      if (!response.ok) {
        await response.body?.cancel();
        throw new Error(`HTTP ${response.status}`);
      }
      return JSON.parse(await readText(response, maxBytes)) as unknown;
    },
  );
}

/** @throws Error when there is more than was expected. */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`more than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
