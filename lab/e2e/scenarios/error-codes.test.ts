import { WIRE_CODES, type WireCode } from '@lending/errors';
import { useDatabase } from '@lending/store/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { attempt } from '../src/builders/attempt.ts';
import { useScene } from '../src/builders/scene.ts';
import { type Answer, answerOf, askMcp, askRest, useService } from '../src/error-codes/called-service.ts';
import { PROVOCATIONS, prepare } from '../src/error-codes/provocations.ts';

/** No operation answers so by itself: what is not there is a path, or the conversation that a call names. */
const OF_PATHS: WireCode = 'NOT_FOUND';
/** What HTTP itself says of a request; MCP says it in words of its own. */
const OF_REST: readonly WireCode[] = ['METHOD_NOT_ALLOWED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
/** Neither does any say so: a request with a token that is none goes no further. */
const OF_TOKENS: WireCode = 'UNAUTHENTICATED';
/** Limits are not for a suite that asks so much. */
const LIMITS: WireCode = 'RATE_LIMITED';

/** What to do next, in words that every error but the service's own failure has. */
const ADVICE = /\b(call|pass|lower|choose|correct|change|wait|fund|repay|close|reduce|try again|make the same call)\b/i;

const scene = useScene('error codes', attempt);
const database = useDatabase();
// Long plans are not to fit.
const service = useService(scene, database, { hasTables: false });

describe('[error-codes] every code over REST and MCP', () => {
  it('has a case for every code that there is', () => {
    const cased = new Set<string>([...PROVOCATIONS.map(({ code }) => code), OF_PATHS, ...OF_REST, OF_TOKENS, LIMITS]);
    expect(Object.keys(WIRE_CODES).filter((code) => !cased.has(code))).toEqual([]);
  });

  it.each(PROVOCATIONS.map((each) => [each.code, each.name, each] as const))(
    '%s: %s',
    async (code, _name, provoked) => {
      const borrower = await prepare(scene, { url: service.url, db: database.db }, provoked);
      const { restore, ...asked } = await provoked.arrange(borrower);
      scene.world.settle();
      try {
        const rest = await askRest(service, asked);
        expectRefused(rest, code);
        expect(rest.status).toBe(WIRE_CODES[code].status);
        expect(rest.body.docs).toBe(`${service.url}/v1/docs/${code}`);
        expect(Object.keys(rest.body.details ?? {})).toEqual(expect.arrayContaining([...(provoked.details ?? [])]));
        const mcp = await askMcp(service, asked);
        expectRefused(mcp, code);
        expect(mcp.body.docs).toBe(`svc://errors/${code}`);
        expect(withoutWords(mcp)).toEqual(withoutWords(rest));
      } finally {
        await restore?.();
        scene.world.settle();
      }
    },
  );

  it('NOT_FOUND: a path that is none', async () => {
    const rest = await askRest(service, { method: 'GET', path: '/v1/nothing', args: {} });
    expectRefused(rest, 'NOT_FOUND');
    expect(rest.status).toBe(404);
    const lost = new Client({ name: 'lost', version: '1' });
    const connecting = lost.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp/nothing`)));
    await expect(connecting).rejects.toThrow('"code":"NOT_FOUND"');
  });

  it.each([
    ['METHOD_NOT_ALLOWED', { method: 'DELETE' }],
    ['PAYLOAD_TOO_LARGE', { method: 'POST', body: JSON.stringify('x'.repeat(300_000)) }],
    ['UNSUPPORTED_MEDIA_TYPE', { method: 'POST', body: '<a/>', headers: { 'content-type': 'application/xml' } }],
  ] as const)('%s: a request that the path does not read', async (code, init) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${service.url}/v1/tx/deposit`, { headers, ...init });
    const rest = await answerOf(response);
    expectRefused(rest, code);
    expect(rest.status).toBe(WIRE_CODES[code].status);
    expect(response.headers.get('allow')).toBe(code === 'METHOD_NOT_ALLOWED' ? 'POST' : null);
    const page = await fetch(String(rest.body.docs));
    expect(await page.json()).toMatchObject({ slug: code, markdown: expect.stringContaining(code) });
  });

  it('NOT_FOUND: a conversation that nobody has', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const response = await fetch(`${service.url}/v1/docs`, { headers: { 'x-conversation-id': id } });
    const rest = await answerOf(response);
    expectRefused(rest, 'NOT_FOUND');
    expect(rest.status).toBe(404);
    const result = await service.mcp.callTool({ name: 'svc_search_docs', _meta: { conversation_id: id } });
    expectRefused({ status: null, body: result.structuredContent as Answer['body'] }, 'NOT_FOUND');
  });

  it('UNAUTHENTICATED: a token that nobody issued', async () => {
    const headers = { authorization: `Bearer lend_${'A'.repeat(43)}` };
    const response = await fetch(`${service.url}/v1/docs`, { headers });
    const rest = await answerOf(response);
    expectRefused(rest, 'UNAUTHENTICATED');
    expect([rest.status, response.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer /)]);
    const stranger = new Client({ name: 'stranger', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } });
    await expect(stranger.connect(transport)).rejects.toThrow();
    const answer = await fetch(`${service.url}/mcp`, { method: 'POST', headers, body: '{}' });
    expectRefused(await answerOf(answer), 'UNAUTHENTICATED');
    expect(answer.status).toBe(401);
  });
});

function expectRefused({ body }: Answer, code: WireCode): void {
  expect(body.code, JSON.stringify(body)).toBe(code);
  expect(body.error).toMatch(code === 'INTERNAL' ? /operator/ : ADVICE);
  expect(body.details).toBeTypeOf('object');
  const { retry } = WIRE_CODES[code];
  if (retry === 'varies') expect(body.retryable).toBeTypeOf('boolean');
  else expect(body.retryable).toBe(retry === 'backoff');
}

/** The chain stands still, so all figures are the same; the words name the call to make next, and `docs` a place to read, which are others at each door. */
function withoutWords({ body: { error: _, docs: _docs, ...rest } }: Answer) {
  return rest;
}
