import fastify from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { conversationRoutes } from '../../conversations/conversation-routes.ts';
import type { ConversationStore } from '../../conversations/conversation-store.ts';
import type { LiveHub } from '../../live/live-hub.ts';
import { streamRoutes } from '../../live/stream-routes.ts';
import type { AnswerCall } from '../../tools/answer-call.ts';
import { createRestOperations, createTools, type OperationDeps } from '../../tools/registry.ts';
import { addOpenApi } from '../openapi.ts';
import { operationRoutes } from '../operation-routes.ts';

/** For routes that are described and never called. */
const NOBODY: unknown = new Proxy(() => {}, {
  get: () => NOBODY,
  apply() {
    throw new TypeError('a route that is only described was called');
  },
});

/** The description of REST as text, as `openapi.json` keeps it: what changes for callers is then seen in a review. */
export async function printOpenApi(version: string): Promise<string> {
  const app = fastify();
  app.setSerializerCompiler(serializerCompiler);
  const deps = { reads: NOBODY, builders: NOBODY, guide: NOBODY } as OperationDeps;
  await addOpenApi(app, version);
  const operations = [...createTools(deps), ...createRestOperations(deps)];
  await app.register(operationRoutes, { operations, answerCall: NOBODY as AnswerCall });
  await app.register(conversationRoutes, { store: NOBODY as ConversationStore });
  await app.register(streamRoutes, { hub: NOBODY as LiveHub, stallMs: 1, logger: NOBODY as never });
  await app.ready();
  const text = JSON.stringify(app.swagger(), null, 2);
  await app.close();
  return `${text}\n`;
}
