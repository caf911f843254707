import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AGGREGATOR_KEY_HEADERS } from '#tools/aggregator-keys.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];
const ALLOWED_HEADERS = [
  'accept',
  'authorization',
  'content-type',
  'if-none-match',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'x-conversation-id',
  'x-request-id',
  ...AGGREGATOR_KEY_HEADERS,
];
const EXPOSED_HEADERS = [
  'deprecation',
  'etag',
  'link',
  'location',
  'mcp-protocol-version',
  'mcp-session-id',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'sunset',
  'www-authenticate',
  'x-conversation-id',
  'x-next-cursor',
  'x-request-id',
];
const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of other origins ask: anybody's at `/v1` and `/graphql`, where nothing is known of a visitor but what he sends, and at `/mcp`
 * those whose host is allowed. Preflights end here: they are counted by no limit and need no token. Register it before both.
 */
export async function addCrossOrigin(app: FastifyInstance, allowedHosts: readonly string[]): Promise<void> {
  const shared: FastifyCorsOptions = {
    methods: METHODS,
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
    strictPreflight: false,
  };
  const anybody: FastifyCorsOptions = { ...shared, origin: '*' };
  const allowed: FastifyCorsOptions = {
    ...shared,
    origin: (origin, done) => done(null, origin !== undefined && allowedHosts.includes(hostOf(origin))),
  };
  await app.register(cors, {
    delegator: (request: FastifyRequest, done: (error: Error | null, options?: FastifyCorsOptions) => void) => {
      const [, door] = /^\/(v1|graphql|mcp)(?=[/?]|$)/.exec(request.url) ?? [];
      if (door === undefined) return done(null, { origin: false });
      const options = door === 'mcp' ? allowed : anybody;
      if (request.method !== 'OPTIONS') return done(null, options);
      done(null, { ...options, allowedHeaders: [...ALLOWED_HEADERS, ...askedOfMcp(request)] });
    },
  });
}

/** A client of MCP may repeat any argument as a header of its own. */
function askedOfMcp({ headers }: FastifyRequest): readonly string[] {
  const asked = headers['access-control-request-headers']?.toLowerCase().split(',') ?? [];
  return asked
    .map((name) => name.trim())
    .filter((name) => /^mcp-[a-z0-9-]{1,60}$/.test(name) && !ALLOWED_HEADERS.includes(name));
}

/** Without its port, as hosts are configured. */
function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : '';
}
