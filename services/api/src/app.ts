import type { FastifyInstance } from 'fastify';
import { readGuide } from '#guide/read-guide.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { createAnswerCall } from '#tools/answer-call.ts';
import type { BuilderDeps } from '#tools/builder-deps.ts';
import { type BareAppDeps, createBareApp } from './bare-app.ts';
import { conversationRoutes } from './conversations/conversation-routes.ts';
import type { ConversationStore } from './conversations/conversation-store.ts';
import { createRecorder } from './conversations/create-recorder.ts';
import { graphqlRoutes } from './graphql/graphql-routes.ts';
import type { GraphqlLimits } from './graphql/limits/graphql-limits.ts';
import type { LiveHub } from './live/live-hub.ts';
import { streamRoutes } from './live/stream-routes.ts';
import { createBankSymbols } from './mcp/bank-symbols.ts';
import type { McpExtension } from './mcp/create-mcp-server.ts';
import { mcpRoutes } from './mcp/mcp-routes.ts';
import { pageRoutes } from './pages/page-routes.ts';
import { addOpenApi } from './rest/openapi.ts';
import { operationRoutes } from './rest/operation-routes.ts';
import { probeRoutes } from './rest/probe-routes.ts';
import { createRestOperations, createTools } from './tools/registry.ts';

export interface AppDeps extends BareAppDeps {
  readonly reads: ReadDeps;
  readonly builders: BuilderDeps;
  readonly conversations: {
    readonly store: ConversationStore;
    /** A conversation in which nothing was said for longer does not go on by itself. */
    readonly idleMs: number;
  };
  readonly live: LiveHub;
  /** How long a stream waits for a reader that takes nothing. */
  readonly streamStallMs: number;
  /** What one query may take. Default: what the settings say unless an operator sets others. */
  readonly graphqlLimits?: GraphqlLimits;
  /** Host names that may appear in `Host` and `Origin` of `/mcp`, without ports. */
  readonly allowedHosts: readonly string[];
  readonly mcpExtension?: McpExtension;
}

/** Puts the doors together. Listens on nothing: the caller does, or a test injects requests. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { reads, builders, limiter, logger, metrics, maxBodyBytes } = deps;
  const guide = readGuide();
  const tools = createTools({ reads, builders, guide });
  const operations = [...tools, ...createRestOperations({ reads, builders })];
  const app = await createBareApp(deps, operations);
  const answerCall = createAnswerCall(createRecorder({ ...deps.conversations, logger, metrics }));
  await addOpenApi(app, reads.version);
  await app.register(operationRoutes, { operations, answerCall });
  await app.register(conversationRoutes, deps.conversations);
  await app.register(streamRoutes, { hub: deps.live, stallMs: deps.streamStallMs, logger });
  await app.register(graphqlRoutes, { reads, live: deps.live, logger, limits: deps.graphqlLimits });
  await app.register(probeRoutes, { deps: reads, metrics, stopping: deps.stopping });
  await app.register(pageRoutes);
  await app.register(mcpRoutes, {
    tools,
    guide,
    symbols: createBankSymbols(reads.banks),
    answerCall,
    limiter,
    logger,
    version: reads.version,
    allowedHosts: deps.allowedHosts,
    maxBodyBytes,
    ...(deps.mcpExtension !== undefined && { extension: deps.mcpExtension }),
  });
  await app.ready();
  return app;
}
