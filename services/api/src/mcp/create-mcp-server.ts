import { isLendingError, toWireError } from '@lending/errors';
import type { Logger } from '@lending/runtime';
import { type CallToolResult, McpServer, type McpServerFactory } from '@modelcontextprotocol/server';
import { answerCall, type Call } from '#tools/answer-call.ts';
import { REPORT_NOTHING, RenderedReply, TextReply, type Tool } from '#tools/tool.ts';
import type { Visitor } from '../visitors/visitor.ts';
import { advertisedInput, advertisedOutput } from './advertised-schema.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { createResources } from './resources.ts';

export interface McpServerOptions {
  readonly tools: readonly Tool[];
  readonly logger: Logger;
  readonly version: string;
  /** Whose request it is; every request that comes here has one. */
  readonly getVisitor: () => Visitor;
  /** Adds to each server what is no part of the service: what a suite of the protocol expects to find. Default: nothing. */
  readonly extend?: (server: McpServer) => void;
}

/**
 * Makes the factory of servers: one for every request, so a server must be cheap. Schemas are converted and pages read
 * here, once.
 */
export function createMcpServerFactory(options: McpServerOptions): McpServerFactory {
  const tools = options.tools.map((tool) => ({
    tool,
    inputSchema: advertisedInput(tool.input),
    outputSchema: advertisedOutput(tool.output),
  }));
  const addResources = createResources();
  return ({ requestInfo }) => {
    const visitor = options.getVisitor();
    const headerOf = (name: string) => requestInfo?.headers.get(name) ?? undefined;
    const server = new McpServer(
      { name: 'lending-agent-service', title: 'Lending agent service', version: options.version },
      { instructions: INSTRUCTIONS },
    );
    for (const { tool, inputSchema, outputSchema } of tools) {
      const { name, title, description, annotations } = tool;
      server.registerTool(
        name,
        { title, description, inputSchema, outputSchema, annotations: { title, ...annotations } },
        (given, { mcpReq }) =>
          callTool(tool, options.logger, {
            door: 'mcp',
            callName: name,
            given: given ?? {},
            headerOf,
            visitor,
            agent: headerOf('user-agent') ?? null,
            conversation: headerOf('x-conversation-id') ?? null,
            signal: AbortSignal.any([visitor.signal, mcpReq.signal]),
            report: REPORT_NOTHING,
          }),
      );
    }
    addResources(server);
    options.extend?.(server);
    return server;
  };
}

async function callTool(tool: Tool, logger: Logger, call: Call): Promise<CallToolResult> {
  try {
    const reply = await answerCall(tool, call);
    if (reply instanceof TextReply) return { content: [{ type: 'text', text: reply.text }] };
    if (reply instanceof RenderedReply) return toResult(reply.value, reply.text);
    return toResult(reply, JSON.stringify(reply));
  } catch (error) {
    if (!isLendingError(error) || error.entry.audience === 'operator') {
      logger.error('mcp.tool.fail', { tool: tool.name, request_id: call.visitor.requestId, error });
    }
    const wireError = toWireError(error);
    return { ...toResult(wireError, JSON.stringify(wireError)), isError: true };
  }
}

function toResult(value: unknown, text: string): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: value as Record<string, unknown> };
}
