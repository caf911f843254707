import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ToolAnswer } from '../mcp-story/mcp-callers.ts';
import { asClient } from './loaded-service.ts';

/** A client of MCP with an address of its own. */
export interface CrowdClient {
  readonly address: string;
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

const WHO = { name: 'crowd', version: '1' };

/**
 * Connects as many of the official clients at once, half of each generation. They list no tools: a client that did would compile fifteen
 * schemas, and a thousand of them would measure that.
 */
export function connectCrowd(url: URL, count: number): Promise<readonly CrowdClient[]> {
  return Promise.all(
    Array.from({ length: count }, (_, nth) => {
      const address = `10.1.${Math.floor(nth / 250)}.${(nth % 250) + 1}`;
      return nth % 2 === 0 ? connectLegacy(url, address) : connectModern(url, address);
    }),
  );
}

async function connectLegacy(url: URL, address: string): Promise<CrowdClient> {
  const client = new LegacyClient(WHO);
  const transport = new LegacyTransport(url, { requestInit: { headers: asClient(address) } });
  // The library's own types differ where `undefined` may stand.
  await client.connect(transport as unknown as Parameters<typeof client.connect>[0], PATIENT);
  return {
    address,
    callTool: (name, args) => client.callTool({ name, arguments: args }, undefined, PATIENT) as Promise<ToolAnswer>,
    close: () => client.close(),
  };
}

async function connectModern(url: URL, address: string): Promise<CrowdClient> {
  const client = new ModernClient(WHO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new ModernTransport(url, { requestInit: { headers: asClient(address) } }), PATIENT);
  return {
    address,
    callTool: (name, args) => client.callTool({ name, arguments: args }, PATIENT) as Promise<ToolAnswer>,
    close: () => client.close(),
  };
}

/** A thousand clients share one thread here: each waits for its turn, too. */
const PATIENT = { timeout: 120_000 } as const;
