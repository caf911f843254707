/** What both generations of clients send with a message. */
export const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

const META = 'io.modelcontextprotocol';
export const MODERN_REVISION = '2026-07-28';

/** A request as clients of the 2025 revisions send it. */
export function legacyMessage(method: unknown, params: unknown = {}, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** A request as clients of 2026-07-28 send it, naming its revision itself. */
export function modernMessage(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  revision: string = MODERN_REVISION,
): string {
  const _meta = {
    [`${META}/protocolVersion`]: revision,
    [`${META}/clientInfo`]: { name: 'hostile', version: '1' },
    [`${META}/clientCapabilities`]: {},
  };
  return legacyMessage(method, { ...params, _meta });
}

/** Its headers, which say once more what the body says. */
export function modernHeaders(method: string, revision: string = MODERN_REVISION): Record<string, string> {
  return { ...JSON_HEADERS, 'mcp-protocol-version': revision, 'mcp-method': method };
}
