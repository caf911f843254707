import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createChain } from '@lending/chain';
import { type ApiHere, startApiHere } from '../cluster/in-process.ts';

export interface Question {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Asks from an address of this machine's own: every one of 127.0.0.0/8 is another client. */
export function askFrom(client: string, url: string, question: Question): Promise<Reply> {
  const { method = 'GET', path, body, headers = {} } = question;
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const asked = request(
    new URL(path, url),
    {
      method,
      localAddress: client,
      agent: false,
      headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
    },
    (response) => {
      text(response).then(
        (answer) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: answer }),
        reject,
      );
    },
  );
  asked.once('error', reject);
  asked.end(payload);
  return promise;
}

/** A message to /mcp, or a batch of them. */
export function messageFrom(
  client: string,
  url: string,
  body: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18', ...more };
  return askFrom(client, url, { method: 'POST', path: '/mcp', body, headers });
}

/** What a message was answered, as JSON or as the first event of a stream. */
export function messageOf({ text: answer }: Reply): unknown {
  const [, data = answer] = /^data: (\{.*)$/m.exec(answer) ?? [];
  return JSON.parse(data);
}

/** One of several apis over the same tables, at the limits of the specification. */
export function startLimitedApi(connectionString: string): Promise<ApiHere> {
  // No limit asks the chain.
  const chain = createChain({ rpcUrls: ['http://127.0.0.1:9'], source: 'localnet', maxRounds: 1 });
  return startApiHere({ connectionString }, { chain, isLimited: true });
}
