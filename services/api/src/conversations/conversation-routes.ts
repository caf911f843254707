import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { conversationPageSchema, conversationSchema, entryPageSchema } from '#records/conversation-fields.ts';
import { decodeCursor, encodeCursor } from '#tools/cursor.ts';
import { invalid, parseInput } from '#tools/parse-input.ts';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { hasAccessToken } from '../callers/access-token.ts';
import { requireCaller } from '../callers/add-callers.ts';
import type { Caller } from '../visitors/visitor.ts';
import { clientName } from './client-name.ts';
import { conversationNotFound, isConversationId } from './conversation-id.ts';
import { DEFAULT_LIMIT, idParams, newConversationInput, pageInput, renameInput } from './conversation-input.ts';
import { toConversation, toEntry } from './conversation-records.ts';
import type { ConversationStore } from './conversation-store.ts';
import { hasSecret, secretsOf } from './without-secrets.ts';

const PATH = '/v1/conversations';
const ONE = `${PATH}/:id`;

const newestTime = z.int().min(0).max(8_640_000_000_000_000);
const CONVERSATION_PLACE = z.tuple([newestTime, newestTime, z.uuid()]);
const ENTRY_PLACE = z.tuple([z.int().min(0).max(2_147_483_647)]);

/** The conversations of whoever asks: nobody else's are there. Nothing of it is recorded. */
export async function conversationRoutes(
  scope: FastifyInstance,
  { store }: { readonly store: ConversationStore },
): Promise<void> {
  scope.setValidatorCompiler(() => (value) => ({ value }));
  scope.setSerializerCompiler(() => JSON.stringify);
  takeEmptyDeletes(scope);
  scope.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'private, no-store');
  });

  scope.route({
    method: 'GET',
    url: PATH,
    schema: describe('list_conversations', 'List conversations', {
      description:
        'Your conversations, the one with the newest entry first. Pages keep the order of the moment of the first one: what goes on ' +
        'meanwhile comes neither twice nor not at all.',
      querystring: pageInput,
      response: { 200: answer(conversationPageSchema, 'A page of conversations'), ...failures(400) },
    }),
    handler: async (request, reply) => {
      const caller = requireCaller(request, reply);
      const { limit, cursor, callName } = readPage(request, `GET ${PATH}`);
      const question = ['conversations', caller.id];
      const after = cursor === undefined ? null : readPlace(cursor, question, callName);
      const rows = await store.list({ caller: caller.id, after, limit: limit + 1 });
      return toPage(rows, limit, toConversation, ({ place: { listedAt, placedAt, id } }) =>
        encodeCursor([listedAt.getTime(), placedAt.getTime(), id], question),
      );
    },
  });

  scope.route({
    method: 'POST',
    url: PATH,
    schema: describe('create_conversation', 'Open a conversation', {
      description:
        'Opens a conversation. Calls go into it that name it in the header x-conversation-id, or over MCP in _meta.',
      body: newConversationInput,
      response: { 201: answer(conversationSchema, 'The conversation'), ...failures(400) },
    }),
    config: { bodyExamples: [{ title: 'Looking for a safe rate' }, {}] },
    handler: async (request, reply) => {
      const caller = requireCaller(request, reply);
      const callName = `POST ${PATH}`;
      const { title = null } = parseInput(
        newConversationInput,
        // Without a body there is nothing to say what it is; a body of null says so, and is none.
        request.headers['content-type'] === undefined ? {} : request.body,
        callName,
      );
      const secrets = secretsOfRequest(request);
      assertNoSecret(title, secrets, callName);
      const client = clientName(request.headers['user-agent'], secrets);
      const row = await store.create({ caller: caller.id, title, client });
      return reply.code(201).header('location', `${PATH}/${row.id}`).send(toConversation(row));
    },
  });

  scope.route({
    method: 'GET',
    url: ONE,
    schema: describe('get_conversation', 'One conversation', {
      description: 'One of your conversations.',
      params: idParams,
      response: { 200: answer(conversationSchema, 'The conversation'), ...failures(404) },
    }),
    handler: async (request, reply) => {
      const key = readKey(request, reply, `GET ${PATH}/{id}`);
      return toConversation(found(await store.read(key), key.callName));
    },
  });

  scope.route({
    method: 'GET',
    url: `${ONE}/entries`,
    schema: describe('list_conversation_entries', 'Entries of a conversation', {
      description: 'The calls that went into one of your conversations, the newest first.',
      params: idParams,
      querystring: pageInput,
      response: { 200: answer(entryPageSchema, 'A page of entries'), ...failures(400, 404) },
    }),
    handler: async (request, reply) => {
      const key = readKey(request, reply, `GET ${PATH}/{id}/entries`);
      const { limit, cursor, callName } = readPage(request, key.callName);
      const { id } = found(await store.read(key), callName);
      const question = ['entries', id];
      const before = cursor === undefined ? null : decodeCursor(cursor, ENTRY_PLACE, question, callName)[0];
      const rows = await store.listEntries({ conversation: id, before, limit: limit + 1 });
      return toPage(rows, limit, toEntry, ({ number }) => encodeCursor([number], question));
    },
  });

  scope.route({
    method: 'PATCH',
    url: ONE,
    schema: describe('rename_conversation', 'Rename a conversation', {
      description: 'Gives one of your conversations another title.',
      params: idParams,
      body: renameInput,
      response: { 200: answer(conversationSchema, 'The conversation'), ...failures(400, 404) },
    }),
    config: { bodyExamples: [{ title: 'Unwinding before the weekend' }] },
    handler: async (request, reply) => {
      const key = readKey(request, reply, `PATCH ${PATH}/{id}`);
      const { title } = parseInput(renameInput, request.body ?? {}, key.callName);
      assertNoSecret(title, secretsOfRequest(request), key.callName);
      return toConversation(found(await store.rename(key, title), key.callName));
    },
  });

  scope.route({
    method: 'DELETE',
    url: ONE,
    schema: describe('delete_conversation', 'Delete a conversation', {
      description: 'Deletes one of your conversations with its entries, for good.',
      params: idParams,
      response: { 204: { description: 'It is gone' }, ...failures(404) },
    }),
    handler: async (request, reply) => {
      const key = readKey(request, reply, `DELETE ${PATH}/{id}`);
      if (!(await store.delete(key))) throw conversationNotFound(key.callName);
      return reply.code(204).send();
    },
  });
}

/** Many programs say of all that they send that it is JSON, also where they send nothing. */
function takeEmptyDeletes(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (request.method === 'DELETE' && body === '') done(null);
    else void parse(request, body, done);
  });
}

interface Key {
  readonly caller: Caller['id'];
  readonly id: string;
  readonly callName: string;
}

function readKey(request: FastifyRequest, reply: FastifyReply, callName: string): Key {
  const { id: caller } = requireCaller(request, reply);
  const { id } = request.params as { readonly id: string };
  if (!isConversationId(id)) throw conversationNotFound(callName);
  return { caller, id, callName };
}

function found<T>(row: T | null, callName: string): T {
  if (row === null) throw conversationNotFound(callName);
  return row;
}

function secretsOfRequest({ headers }: FastifyRequest): readonly string[] {
  return secretsOf((name) => headers[name]?.toString());
}

/** A title is kept as it was given, so what may be kept nowhere is refused. */
function assertNoSecret(title: string | null, secrets: readonly string[], callName: string): void {
  if (title !== null && (hasSecret(title, secrets) || hasAccessToken(title))) {
    throw invalid('title contains a token or a key', 'a title without', callName, { field: 'title' });
  }
}

function readPage(request: FastifyRequest, callName: string) {
  const query = request.query as Readonly<Record<string, unknown>>;
  const repeated = Object.keys(query).find((name) => Array.isArray(query[name]));
  if (repeated !== undefined) throw invalid(`${repeated} is given twice`, 'once', callName, { field: repeated });
  const { limit = DEFAULT_LIMIT, cursor } = parseInput(pageInput, query, callName);
  return { limit, cursor, callName };
}

function readPlace(cursor: string, question: unknown, callName: string) {
  const [listedAt, placedAt, id] = decodeCursor(cursor, CONVERSATION_PLACE, question, callName);
  return { listedAt: new Date(listedAt), placedAt: new Date(placedAt), id };
}

/** Out of one row more than the page has. */
function toPage<R, T>(rows: readonly R[], limit: number, toRecord: (row: R) => T, cursorOf: (row: R) => string) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: shown.map(toRecord),
    has_more: hasMore,
    next_cursor: hasMore && last !== undefined ? cursorOf(last) : null,
  };
}

interface Described {
  readonly description: string;
  readonly params?: z.ZodObject;
  readonly querystring?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly response: Readonly<Record<number, unknown>>;
}

/** The schemas are for the OpenAPI page; checking is done by `parseInput`. */
function describe(operationId: string, summary: string, described: Described) {
  return { operationId, summary, tags: ['conversations'], security: [{ bearer: [] }], ...described };
}

function answer(schema: z.ZodType, description: string) {
  return { description, content: { 'application/json': { schema } } };
}

function failures(...statuses: readonly (400 | 404)[]) {
  const all = {
    400: 'INVALID_ARGUMENT',
    401: 'UNAUTHENTICATED',
    404: 'NOT_FOUND',
    500: 'INTERNAL',
    503: 'UPSTREAM_UNAVAILABLE',
  };
  const shown: readonly number[] = [...statuses, 401, 500, 503];
  return Object.fromEntries(
    Object.entries(all)
      .filter(([status]) => shown.includes(Number(status)))
      .map(([status, codes]) => [status, answer(wireErrorSchema, codes)]),
  );
}
