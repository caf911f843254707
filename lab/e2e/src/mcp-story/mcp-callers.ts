import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { fetchPatiently } from './patient-fetch.ts';

const WHO = { name: 'story', version: '1' };

export interface ToolAnswer {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
}

/** A client of one of the two generations, as far as a story needs one. */
export interface McpCaller {
  readonly revision: string | undefined;
  /** Of every tool by its name. */
  readonly inputSchemas: ReadonlyMap<string, object>;
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** The v1 line, which knows the revisions up to 2025-11-25. It lists the tools, and so checks each answer by its output schema. */
export async function connectLegacy(url: URL): Promise<McpCaller> {
  const client = new LegacyClient(WHO);
  const transport = new LegacyTransport(url, { fetch: fetchPatiently });
  // The library's own types differ where `undefined` may stand.
  await client.connect(transport as unknown as Parameters<typeof client.connect>[0]);
  const { tools } = await client.listTools();
  return {
    revision: transport.protocolVersion,
    inputSchemas: new Map(tools.map(({ name, inputSchema }) => [name, inputSchema])),
    callTool: (name, args) => client.callTool({ name, arguments: args }) as Promise<ToolAnswer>,
    close: () => client.close(),
  };
}

/** The v2 line, which asks the server what it speaks and takes the newest. */
export async function connectModern(url: URL): Promise<McpCaller> {
  const client = new ModernClient(WHO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new ModernTransport(url, { fetch: fetchPatiently }));
  const { tools } = await client.listTools();
  return {
    revision: client.getNegotiatedProtocolVersion(),
    inputSchemas: new Map(tools.map(({ name, inputSchema }) => [name, inputSchema])),
    callTool: (name, args) => client.callTool({ name, arguments: args }) as Promise<ToolAnswer>,
    close: () => client.close(),
  };
}
