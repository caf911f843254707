import { createLogger } from '@lending/runtime';
import { useDatabase } from '@lending/store/testing';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { issueAccessToken } from '../callers/issue-access-token.ts';
import { runTokenCommand } from '../callers/run-token-command.ts';
import { createTokenStore } from '../callers/token-store.ts';
import { connectLegacy, connectModern } from '../mcp/testing/mcp-clients.ts';
import { conversationEntrySchema, conversationPageSchema, conversationSchema } from '../records/conversation-fields.ts';
import { BANKS } from '../testing/account-rows.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';
import { createConversationStore } from './conversation-store.ts';

const database = useDatabase({ per: 'test' });
const NOBODYS = '00000000-0000-4000-8000-000000000000';
const lines: string[] = [];
let app: FastifyInstance;
let mine = '';
let other = '';

beforeEach(async () => {
  lines.length = 0;
  mine = (await issueAccessToken(database.db, 'mine')).token;
  other = (await issueAccessToken(database.db, 'other')).token;
  app = await createTestApp({
    store: fakeStore(BANKS),
    tokens: createTokenStore(database.db),
    conversations: createConversationStore(database.db, { most: 1_000, mostEntries: 1_000 }),
    logger: createLogger({
      level: 'trace',
      name: 'test',
      destination: { write: (line: string) => void lines.push(line) },
    }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
interface Asked {
  readonly token?: string | null;
  readonly method?: Method;
  readonly body?: object;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
async function ask(url: string, { token = mine, method = 'GET', body, text, headers = {} }: Asked = {}) {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const payload = body === undefined && text === undefined ? {} : { payload: text ?? body ?? {} };
  const reply = await app.inject({
    method,
    url,
    headers: { 'user-agent': 'tester/1', ...authorization, ...headers },
    ...payload,
  });
  return {
    status: reply.statusCode,
    headers: reply.headers,
    conversation: reply.headers['x-conversation-id'],
    body: reply.payload === '' ? null : reply.json(),
  };
}
const named = (id: string) => ({ headers: { 'x-conversation-id': id } });
const list = async (query = '', token = mine) =>
  conversationPageSchema.parse((await ask(`/v1/conversations${query}`, { token })).body);
const entriesOf = async (id: unknown, query = '') => {
  const { body } = await ask(`/v1/conversations/${id}/entries${query}`);
  return { ...body, data: conversationEntrySchema.array().parse(body.data) };
};
const open = async (body: object = {}, token = mine) =>
  conversationSchema.parse((await ask('/v1/conversations', { method: 'POST', body, token })).body);

describe('/v1/conversations', () => {
  it('answers nobody without a token, with a challenge', async () => {
    for (const [method, url] of [
      ['GET', '/v1/conversations'],
      ['POST', '/v1/conversations'],
      ['GET', `/v1/conversations/${NOBODYS}`],
      ['PATCH', `/v1/conversations/${NOBODYS}`],
      ['DELETE', `/v1/conversations/${NOBODYS}`],
      ['GET', `/v1/conversations/${NOBODYS}/entries`],
    ] as const) {
      const reply = await ask(url, { method, token: null });
      expect([method, url, reply.status, reply.body.code]).toEqual([method, url, 401, 'UNAUTHENTICATED']);
      expect(reply.headers['www-authenticate']).toBe('Bearer realm="lending-agent-service"');
    }
  });

  it('opens, reads, renames and deletes', async () => {
    const reply = await ask('/v1/conversations', { method: 'POST', body: { title: ' Unwind SOL 👩‍🚀 ' } });
    expect(reply.status).toBe(201);
    const opened = conversationSchema.parse(reply.body);
    expect(opened).toMatchObject({ title: 'Unwind SOL 👩‍🚀', client: 'tester/1', entry_count: 0 });
    const url = `/v1/conversations/${opened.id}`;
    expect(reply.headers).toMatchObject({ location: url, 'cache-control': 'private, no-store' });
    expect((await ask(url)).body).toEqual(opened);
    const renamed = await ask(url, { method: 'PATCH', body: { title: 'x'.repeat(200) } });
    expect([renamed.status, renamed.body]).toEqual([200, { ...opened, title: 'x'.repeat(200) }]);
    const gone = await ask(url, { method: 'DELETE' });
    expect([gone.status, gone.body]).toEqual([204, null]);
    for (const method of ['GET', 'DELETE'] as const) expect((await ask(url, { method })).status).toBe(404);
    expect(await list()).toEqual({ data: [], has_more: false, next_cursor: null });
    expect((await open()).title).toBeNull();
    expect((await ask('/v1/conversations', { method: 'POST' })).body).toMatchObject({ title: null });
    const nothing = { headers: { 'content-type': 'application/json' }, method: 'POST' as const };
    expect((await ask('/v1/conversations', { ...nothing, text: 'null' })).status).toBe(400);
  });

  it.each([
    ['too long', 'x'.repeat(201)],
    ['two lines', 'a\nb'],
    ['a NUL', 'a\u0000b'],
    ['a turned direction', 'a\u202eb'],
    ['half a character', 'a\ud800'],
    ['blanks', '   '],
    ['a number', 7],
  ])('takes no title that is %s', async (_what, title) => {
    const opening = await ask('/v1/conversations', { method: 'POST', body: { title } });
    const renaming = await ask(`/v1/conversations/${NOBODYS}`, { method: 'PATCH', body: { title } });
    for (const { status, body } of [opening, renaming]) {
      expect([status, body.code, body.details.field]).toEqual([400, 'INVALID_ARGUMENT', 'title']);
    }
  });

  it('deletes for who says that nothing is JSON, and takes nothing else that is none', async () => {
    const { id } = await open();
    const headers = { 'content-type': 'application/json' };
    const url = `/v1/conversations/${id}`;
    expect((await ask(url, { method: 'DELETE', headers, text: '{' })).status).toBe(400);
    expect((await ask(url, { method: 'PATCH', headers, text: '' })).status).toBe(400);
    expect((await ask(url, { method: 'PATCH', headers, text: '{"title":"a","__proto__":{}}' })).status).toBe(400);
    expect((await ask(url, { method: 'DELETE', headers })).status).toBe(204);
  });

  it('takes no title with a secret in it', async () => {
    const headers = { 'x-aggregator1-api-key': 'marked-key' };
    for (const title of [`My token is ${mine}.`, `${other}`, 'the marked-key']) {
      for (const [method, url] of [
        ['POST', '/v1/conversations'],
        ['PATCH', `/v1/conversations/${NOBODYS}`],
      ] as const) {
        const { status, body } = await ask(url, { method, body: { title }, headers });
        expect([status, body.code, body.details.field]).toEqual([400, 'INVALID_ARGUMENT', 'title']);
        expect(JSON.stringify(body)).not.toContain(title);
      }
    }
    expect((await list()).data).toEqual([]);
  });

  it('takes no field that it does not know, and none twice', async () => {
    const { id } = await open();
    expect((await ask('/v1/conversations', { method: 'POST', body: { name: 'a' } })).status).toBe(400);
    expect((await ask(`/v1/conversations/${id}`, { method: 'PATCH', body: {} })).body.details.field).toBe('title');
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'limit=1.5',
      'limit=1&limit=2',
      'cursor=abc',
      'caller=other',
    ]) {
      for (const url of ['/v1/conversations', `/v1/conversations/${id}/entries`]) {
        expect([query, (await ask(`${url}?${query}`)).status]).toEqual([query, 400]);
      }
    }
  });

  it('lists ten, or as many as are asked for, the newest first, and pages without repeating any', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 23; n += 1) ids.unshift((await open({ title: `${n}` })).id);
    expect((await list()).data).toHaveLength(10);
    const all = (await list('?limit=100')).data;
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set(ids));
    expect(all).toEqual(all.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at) || a.id.localeCompare(b.id)));
    const seen = [];
    let page = await list('?limit=5');
    for (;;) {
      seen.push(...page.data.map(({ id }) => id));
      expect(page.has_more).toBe(page.next_cursor !== null);
      if (page.next_cursor === null) break;
      // Goes to the front of a list that begins now.
      await ask('/v1/banks', named(all.at(-1)?.id ?? ''));
      page = await list(`?limit=5&cursor=${page.next_cursor}`);
    }
    expect(seen).toEqual(all.map(({ id }) => id));
    expect((await list('?limit=1')).data[0]?.id).toBe(all.at(-1)?.id);
  });
});

describe('what a caller does', () => {
  it('becomes an entry of his client’s conversation, whose id the answer carries', async () => {
    const first = await ask('/v1/banks?symbol=SOL&limit=3');
    expect(first.status).toBe(200);
    const second = await ask('/v1/banks?limit=9999');
    expect([second.status, second.conversation]).toEqual([400, first.conversation]);
    const elsewhere = await ask('/v1/banks', { headers: { 'user-agent': 'another/2' } });
    expect(elsewhere.conversation).not.toBe(first.conversation);
    const [, conversation] = (await list()).data;
    expect(conversation).toMatchObject({
      id: first.conversation,
      title: 'Lending banks: SOL',
      client: 'tester/1',
      entry_count: 2,
    });
    const { data } = await entriesOf(first.conversation);
    expect(data).toMatchObject([
      {
        id: `${first.conversation}:2`,
        door: 'rest',
        tool: 'svc_get_banks',
        arguments: {},
        outcome: 'error',
        code: 'INVALID_ARGUMENT',
      },
      {
        id: `${first.conversation}:1`,
        door: 'rest',
        tool: 'svc_get_banks',
        arguments: { symbol: 'SOL', limit: '3' },
        outcome: 'ok',
      },
    ]);
    expect(data[0]?.time).toBe(conversation?.updated_at);
  });

  it('goes into the conversation that a call names', async () => {
    const { id } = await open({ title: 'Mine' });
    const reply = await ask('/v1/banks', named(id.toUpperCase()));
    expect([reply.status, reply.conversation]).toEqual([200, id]);
    expect((await ask('/v1/banks', named(''))).conversation).not.toBe(id);
    expect((await entriesOf(id)).data).toHaveLength(1);
    const page = await entriesOf(id, '?limit=1');
    expect([page.has_more, page.next_cursor]).toEqual([false, null]);
  });

  it('is kept of nobody without a token, and of no reading of conversations', async () => {
    expect((await ask('/v1/banks', { token: null })).conversation).toBeUndefined();
    await ask('/v1/banks');
    const [before] = (await list()).data;
    for (const url of [
      '/v1/conversations',
      `/v1/conversations/${before?.id}`,
      `/v1/conversations/${before?.id}/entries`,
    ]) {
      expect((await ask(url)).conversation).toBeUndefined();
    }
    expect((await list()).data).toEqual([before]);
  });

  it('is answered though it cannot be kept', async () => {
    await app.close();
    app = await createTestApp({
      store: fakeStore(BANKS),
      tokens: createTokenStore(database.db),
      logger: createLogger({
        level: 'trace',
        name: 'test',
        destination: { write: (line: string) => void lines.push(line) },
      }),
    });
    const reply = await ask('/v1/banks');
    expect([reply.status, reply.conversation]).toEqual([200, undefined]);
    expect(lines.join()).toContain('conversation.entry.fail');
    expect((await app.inject('/metrics')).payload).toContain('conversation_entry_write_total{result="failed"} 1');
  });
});

describe('conversations of others', () => {
  it('are as those that are not: nowhere', async () => {
    const { id } = await open({ title: 'Mine' });
    await ask('/v1/banks', named(id));
    const asked: [string, Asked][] = [
      ['', {}],
      ['', { method: 'PATCH', body: { title: 'Yours' } }],
      ['', { method: 'DELETE' }],
      ['/entries', {}],
    ];
    for (const [path, options] of asked) {
      const [foreign, absent, none] = await Promise.all(
        [id, NOBODYS, 'no-id'].map((each) => ask(`/v1/conversations/${each}${path}`, { ...options, token: other })),
      );
      expect([foreign?.status, foreign?.body.code]).toEqual([404, 'NOT_FOUND']);
      expect([absent?.body, none?.body]).toEqual([foreign?.body, foreign?.body]);
    }
    const calls = await Promise.all(
      [id, NOBODYS, 'no-id'].map((each) => ask('/v1/banks', { ...named(each), token: other })),
    );
    expect(calls.map(({ status, conversation }) => [status, conversation])).toEqual(Array(3).fill([404, undefined]));
    expect(calls[1]?.body).toEqual(calls[0]?.body);
    expect((await ask('/v1/banks', { ...named(id), token: null })).status).toBe(404);
    expect((await list('', other)).data).toEqual([]);
    expect((await list()).data).toMatchObject([{ id, title: 'Mine', entry_count: 1 }]);
  });

  it('are reached by no cursor', async () => {
    for (let n = 0; n < 2; n += 1) await open();
    await open({}, other);
    const { next_cursor: cursor } = await list('?limit=1');
    const reply = await ask(`/v1/conversations?limit=1&cursor=${cursor}`, { token: other });
    expect([reply.status, reply.body.details.field]).toEqual([400, 'cursor']);
  });

  it('are those of a caller, whichever of his tokens he sends, and until it is revoked', async () => {
    const { id } = await open();
    const { token, id: tokenId } = await issueAccessToken(database.db, 'mine');
    expect((await ask(`/v1/conversations/${id}`, { token })).status).toBe(200);
    await runTokenCommand(database.db, ['revoke', tokenId]);
    for (const url of [`/v1/conversations/${id}`, '/v1/banks', '/graphql?query={__typename}', '/mcp']) {
      const { status, headers } = await ask(url, { token });
      expect([url, status]).toEqual([url, 401]);
      expect(headers['www-authenticate']).toContain('error="invalid_token"');
    }
    expect((await ask(`/v1/conversations/${id}`)).status).toBe(200);
  });
});

describe('secrets', () => {
  it('are kept nowhere, wherever they stand in a call', async () => {
    const keys = { 'x-aggregator1-api-key': 'key-one-of-a-caller', 'x-aggregator2-api-key': 'k2' };
    const secret = '3f9c2a7b-0d1e-4c5f-8a6b-7e8d9c0b1a2f';
    await ask(`/v1/docs?query=${mine}`, { headers: { ...keys, 'user-agent': `agent ${mine}` } });
    await ask(`/v1/docs?query=how+about+key-one-of-a-caller`, { headers: keys });
    await ask(`/v1/docs?query=lend+with+${secret}`, { headers: keys });
    await ask(`/v1/banks?api_key=${secret}&symbol=SOL`, { headers: keys });
    await ask('/v1/tx/deposit', { method: 'POST', body: { authority: secret, amount: 1, secret }, headers: keys });
    const kept = JSON.stringify([
      await database.db.selectFrom('conversation').selectAll().execute(),
      await database.db.selectFrom('conversation_entry').selectAll().execute(),
    ]);
    expect(kept).toContain('svc_deposit');
    expect(kept).toContain('lend with (removed)');
    for (const each of [mine, mine.slice(5), 'key-one-of-a-caller', secret]) {
      expect(kept).not.toContain(each);
      expect(lines.join('\n')).not.toContain(each);
    }
  });

  it('and what is no text is not kept either', async () => {
    await ask('/v1/docs', { headers: { 'user-agent': `a\tb${'x'.repeat(200)}` } });
    await ask('/v1/docs?query=a%00b%E2%80%AEc%0Ad');
    const [second, first] = (await list()).data;
    expect(second?.title).toBe('Search the docs: abc d');
    expect(first?.client).toBe(`a b${'x'.repeat(96)}…`);
  });
});

describe('over MCP', () => {
  const headers = () => ({ authorization: `Bearer ${mine}` });
  const endpoint = () => new URL('/mcp', app.listeningOrigin);

  it('a client of the stateless revision is known by what it calls itself', async () => {
    const seen: (string | null)[] = [];
    const client = await connectModern(endpoint(), {
      headers: headers(),
      itself: { name: 'claude', version: '7.1' },
      fetch: async (url, init) => {
        const reply = await fetch(url, init);
        seen.push(reply.headers.get('x-conversation-id'));
        return reply;
      },
    });
    const first = await client.callTool({ name: 'svc_get_banks', arguments: { symbol: 'SOL' } });
    const conversation = first._meta?.conversation_id;
    expect(seen.at(-1)).toBe(conversation);
    await client.callTool({ name: 'svc_get_banks', arguments: { limit: -1 } });
    expect((await list()).data).toMatchObject([
      { id: conversation, title: 'Lending banks: SOL', client: 'claude 7.1', entry_count: 2 },
    ]);
    const { id } = await open();
    const named = await client.callTool({ name: 'svc_get_banks', _meta: { conversation_id: id } });
    expect(named._meta?.conversation_id).toBe(id);
    for (const nobodys of [NOBODYS, 7, { id }]) {
      const lost = await client.callTool({ name: 'svc_get_banks', _meta: { conversation_id: nobodys } });
      expect(lost).toMatchObject({ isError: true, structuredContent: { code: 'NOT_FOUND' } });
    }
    await client.close();
    expect((await entriesOf(id)).data).toMatchObject([{ door: 'mcp', tool: 'svc_get_banks', outcome: 'ok' }]);
  });

  it('a client of the revisions before is known by what it called itself when it began, and hears of its conversation', async () => {
    const client = await connectLegacy(endpoint(), {
      headers: { ...headers(), 'user-agent': 'old-agent/3' },
      itself: { name: 'Lending-acceptance-client-2025 👩', version: '1.0' },
    });
    const reply = await client.callTool({ name: 'svc_get_banks' });
    await client.close();
    const [conversation] = (await list()).data;
    expect(conversation).toMatchObject({
      title: 'Lending banks',
      client: 'Lending-acceptance-client-2025 👩 1.0',
      entry_count: 1,
    });
    expect(reply._meta?.conversation_id).toBe(conversation?.id);
  });
});
