import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** What the tool is asked. */
export const BANK_QUESTIONS = {
  /** As an agent asks first: concise banks, as many as fit 3,000 tokens. */
  'the default page': {},
  /** All there is of each bank, for as many as an answer over MCP holds. */
  'the longest page': { limit: 120, response_format: 'detailed' },
} as const;

type Question = (typeof BANK_QUESTIONS)[keyof typeof BANK_QUESTIONS];

/** A client of the 2026 revision: its library speaks the older ones unless it is told. */
export async function connectModern(url: URL, fetcher: typeof fetch = fetch): Promise<ModernClient> {
  const client = new ModernClient(
    { name: 'bench', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new ModernTransport(url, { fetch: fetcher }));
  return client;
}

export async function callBanks(client: ModernClient, question: Question) {
  const { content, structuredContent, isError } = await client.callTool({
    name: 'svc_get_banks',
    arguments: { ...question },
  });
  if (isError === true) throw new Error(`svc_get_banks: ${JSON.stringify(structuredContent)}`);
  return { content: content as { type: 'text'; text: string }[], structuredContent };
}

/** A request as a client's library makes it. */
export interface CallRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the library of each generation sends when the tool is called with these arguments. */
export async function recordCalls(
  url: URL,
  question: Question,
): Promise<Readonly<Record<'modern' | 'legacy', CallRequest>>> {
  const modern = createRecorder();
  const modernClient = await connectModern(url, modern.fetcher);
  await callBanks(modernClient, question);
  await modernClient.close();
  const legacy = createRecorder();
  const legacyClient = new LegacyClient({ name: 'bench', version: '1' });
  const transport = new LegacyTransport(url, { fetch: legacy.fetcher });
  await legacyClient.connect(transport as unknown as Parameters<typeof legacyClient.connect>[0]);
  await legacyClient.callTool({ name: 'svc_get_banks', arguments: { ...question } });
  await legacyClient.close();
  return { modern: modern.call(), legacy: legacy.call() };
}

function createRecorder() {
  let recorded: CallRequest | undefined;
  const fetcher = (input: string | URL | Request, init?: RequestInit) => {
    if (typeof init?.body === 'string' && init.body.includes('"tools/call"')) {
      recorded = { headers: Object.fromEntries(new Headers(init.headers)), body: init.body };
    }
    return fetch(input, init);
  };
  const call = () => {
    if (recorded === undefined) throw new Error('No call of a tool was made');
    return recorded;
  };
  return { fetcher, call };
}
