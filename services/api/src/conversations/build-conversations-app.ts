import type { FastifyInstance } from 'fastify';
import type { ReadDeps } from '#reads/read-deps.ts';
import { type BareAppDeps, createBareApp } from '../bare-app.ts';
import { probeRoutes } from '../rest/probe-routes.ts';
import { conversationRoutes } from './conversation-routes.ts';
import type { ConversationStore } from './conversation-store.ts';

export interface ConversationsAppDeps extends BareAppDeps {
  readonly reads: ReadDeps;
  readonly conversations: { readonly store: ConversationStore };
}

/** Conversations alone, with what operators' machines ask, for a base URL of their own. Listens on nothing. */
export async function buildConversationsApp(deps: ConversationsAppDeps): Promise<FastifyInstance> {
  const app = await createBareApp(deps, []);
  await app.register(conversationRoutes, deps.conversations);
  await app.register(probeRoutes, { deps: deps.reads, metrics: deps.metrics, stopping: deps.stopping });
  await app.ready();
  return app;
}
