import { MCP_DOCS_BASE } from '@lending/errors';
import {
  CLIENT_INFO_META_KEY,
  McpServer,
  type McpServerFactory,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Guide } from '#guide/guide.ts';
import type { Call } from '#tools/answer-call.ts';
import type { Tool } from '#tools/tool.ts';
import type { Visitor } from '../visitors/visitor.ts';
import { advertisedInput, advertisedOutput } from './advertised-schema.ts';
import { type CallToolOptions, callTool } from './call-tool.ts';
import { createCallsUnderWay } from './calls-under-way.ts';
import type { CompleteText } from './complete-text.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { createPrompts } from './prompts.ts';
import { reportProgress } from './report-progress.ts';
import { createResources } from './resources.ts';
import { clientOfSession, nameOf, program } from './session.ts';

/** A request of `/mcp`, as our side of the protocol library knows it. */
export interface McpVisit {
  readonly visitor: Visitor;
  /** What it says; undefined where it is no JSON. */
  readonly json: unknown;
  /** Whether its messages came as a batch, which is answered together. */
  readonly isBatch: boolean;
  /** The tools that are called, where nothing else is asked: then nothing else is made ready. Null: anything may be. */
  readonly calledTools: ReadonlySet<string> | null;
  /** Says in the answer's head which conversation a call went into, unless the head has left. */
  readonly tellConversation: Call['tellConversation'];
}

export interface McpServerOptions extends CallToolOptions {
  readonly tools: readonly Tool[];
  readonly guide: Guide;
  /** Completes the symbol of a token in a prompt. */
  readonly symbols: CompleteText;
  readonly version: string;
  /** The request that is answered; all that comes here has one. */
  readonly getVisit: () => McpVisit;
  readonly extension?: McpExtension;
}

/** What is no part of the service: a suite of the protocol expects to find it beside the service's own. */
export interface McpExtension {
  readonly options: Pick<ServerOptions, 'requestState'>;
  addTo(server: McpServer): void;
}

/** Lists are what the program has: they change when another program is started, and nobody is told. */
const NEVER_CHANGED = { listChanged: false } as const;
const TOOLS = { tools: NEVER_CHANGED } as const;
/** A server makes handlers ready for each, used or not. */
const EVERYTHING = { ...TOOLS, resources: NEVER_CHANGED, prompts: NEVER_CHANGED } as const;

const SESSION_HEADER = 'mcp-session-id';

/**
 * Makes the factory of servers: one for every request, so a server must be cheap. Schemas are converted and pages read
 * here, once.
 */
export function createMcpServerFactory(options: McpServerOptions): McpServerFactory {
  const tools = options.tools.map((tool) => ({
    tool,
    inputSchema: advertisedInput(tool.input, tool.also?.input),
    outputSchema: advertisedOutput(tool.output, tool.also?.output),
  }));
  const addResources = createResources(options.guide);
  const addPrompts = createPrompts(options.symbols);
  const underWay = createCallsUnderWay();
  return ({ requestInfo, era }) => {
    const { visitor, isBatch, calledTools, tellConversation } = options.getVisit();
    const headerOf = (name: string) => requestInfo?.headers.get(name) ?? undefined;
    const session = era === 'legacy' ? headerOf(SESSION_HEADER) : undefined;
    const sessionOfClient = session === undefined ? null : `${visitor.client} ${session}`;
    const server = new McpServer(
      { name: 'lending-agent-service', title: 'Lending agent service', version: options.version },
      {
        instructions: INSTRUCTIONS,
        capabilities: calledTools === null ? EVERYTHING : TOOLS,
        ...options.extension?.options,
      },
    );
    const callOf = (name: string, given: unknown, mcpReq: ServerContext['mcpReq'], calledOff: AbortSignal): Call => ({
      door: 'mcp',
      callName: name,
      given: given ?? {},
      headerOf,
      visitor,
      agent: clientOf(mcpReq) ?? clientOfSession(session) ?? headerOf('user-agent') ?? null,
      conversation: conversationOf(mcpReq) ?? headerOf('x-conversation-id') ?? null,
      tellConversation,
      signal: AbortSignal.any([visitor.signal, mcpReq.signal, calledOff]),
      report: reportProgress(mcpReq),
      docsBase: MCP_DOCS_BASE,
    });
    for (const { tool, inputSchema, outputSchema } of tools) {
      const { name, title, annotations, also } = tool;
      const description = also === undefined ? tool.description : `${tool.description} ${also.description}`;
      if (calledTools?.has(name) === false) continue;
      server.registerTool(
        name,
        { title, description, inputSchema, outputSchema, annotations: { title, ...annotations } },
        async (given, { mcpReq }) => {
          const calledOff = new AbortController();
          // What was called off is not answered, unless others of its batch are: then it fails.
          const cancel = () => (isBatch ? calledOff.abort() : void server.close());
          const forget = sessionOfClient === null ? null : underWay.add(sessionOfClient, mcpReq.id, cancel);
          try {
            return await callTool(tool, callOf(name, given, mcpReq, calledOff.signal), options);
          } finally {
            forget?.();
          }
        },
      );
    }
    if (sessionOfClient !== null) {
      server.server.setNotificationHandler('notifications/cancelled', ({ params }) => {
        if (params.requestId !== undefined) underWay.cancel(sessionOfClient, params.requestId);
      });
    }
    if (calledTools === null) {
      addResources(server);
      addPrompts(server);
    }
    options.extension?.addTo(server);
    return server;
  };
}

const clientInfo = z.looseObject({ [CLIENT_INFO_META_KEY]: program });

/** What the client's program calls itself, which those of the stateless revision say with every message. */
function clientOf({ envelope = {} }: ServerContext['mcpReq']): string | null {
  const { data } = clientInfo.safeParse(envelope);
  return data === undefined ? null : nameOf(data[CLIENT_INFO_META_KEY]);
}

/** The conversation that a message names itself: before the one that its request names, which may carry several. */
function conversationOf({ _meta: meta }: ServerContext['mcpReq']): string | null {
  const named = meta?.conversation_id ?? null;
  // What is no text is nobody's conversation, and must not go into another.
  return named === null ? null : String(named);
}
