import { isLendingError, toWireError } from '@lending/errors';
import type { Logger } from '@lending/runtime';
import { type CallToolResult, McpServer, type McpServerFactory } from '@modelcontextprotocol/server';
import { NO_AGGREGATOR_KEYS } from '#builds/aggregator-keys.ts';
import { readAggregatorKeys } from '#tools/aggregator-keys.ts';
import { parseInput } from '#tools/parse-input.ts';
import { RenderedReply, TextReply, type Tool } from '#tools/tool.ts';
import { advertisedInput, advertisedOutput } from './advertised-schema.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { createResources } from './resources.ts';

export interface McpServerOptions {
  readonly tools: readonly Tool[];
  readonly logger: Logger;
  readonly version: string;
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
        (input) => callTool(tool, input, headerOf, options),
      );
    }
    addResources(server);
    return server;
  };
}

async function callTool(
  tool: Tool,
  input: unknown,
  headerOf: (name: string) => string | undefined,
  options: McpServerOptions,
): Promise<CallToolResult> {
  try {
    const { name, takesAggregatorKeys } = tool;
    const parsed = parseInput(tool.input, input ?? {}, name);
    const aggregatorKeys = takesAggregatorKeys === true ? readAggregatorKeys(headerOf, name) : NO_AGGREGATOR_KEYS;
    const reply = await tool.handle(parsed, { door: 'mcp', callName: name, aggregatorKeys });
    if (reply instanceof TextReply) return { content: [{ type: 'text', text: reply.text }] };
    if (reply instanceof RenderedReply) return toResult(reply.value, reply.text);
    return toResult(reply, JSON.stringify(reply));
  } catch (error) {
    if (!isLendingError(error) || error.entry.audience === 'operator') {
      options.logger.error('mcp.tool.fail', { tool: tool.name, error });
    }
    const wireError = toWireError(error);
    return { ...toResult(wireError, JSON.stringify(wireError)), isError: true };
  }
}

function toResult(value: unknown, text: string): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: value as Record<string, unknown> };
}
