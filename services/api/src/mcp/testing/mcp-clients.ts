import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The revision of the protocol that has neither sessions nor a handshake. */
export const MODERN_REVISION = '2026-07-28';

/** One program of each generation, for tests that hold for both. */
export const GENERATIONS = [
  ['the 2025 client', connectLegacy],
  ['the 2026 client', connectModern],
] as const;

/** A client of the revisions up to 2025-11-25. */
export async function connectLegacy(url: URL): Promise<LegacyClient> {
  const client = new LegacyClient({ name: 'test', version: '1' });
  await client.connect(new LegacyTransport(url) as unknown as Parameters<typeof client.connect>[0]);
  return client;
}

/** A client of the 2026 revision: its library speaks the older ones unless it is told. */
export async function connectModern(url: URL): Promise<ModernClient> {
  const client = new ModernClient(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: MODERN_REVISION } } },
  );
  await client.connect(new ModernTransport(url));
  return client;
}
