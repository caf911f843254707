import { createMcpFastifyApp } from '@modelcontextprotocol/fastify';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { BANK_QUESTIONS, callBanks, connectModern } from './load/open-banks.ts';

/**
 * An MCP server as the SDK's own guide has it, with one tool that answers from memory what the one at the URL in the arguments
 * answered once, as text and as structured content: the yardstick of `get-banks-mcp.ts`. The same Fastify adapter, the same transport,
 * nothing besides. Prints its address. Ends with its parent.
 */
const [url = ''] = process.argv.slice(2);
const client = await connectModern(new URL(url));
const answers = new Map<string, Awaited<ReturnType<typeof callBanks>>>();
for (const question of Object.values(BANK_QUESTIONS)) {
  answers.set(JSON.stringify(question), await callBanks(client, question));
}
await client.close();

const handler = createMcpHandler(
  () => {
    const server = new McpServer({ name: 'memory', version: '1.0.0' });
    const echo = { description: 'Answers from memory', inputSchema: z.looseObject({}) };
    server.registerTool('svc_get_banks', echo, (question) => {
      const { content = [], structuredContent } = answers.get(JSON.stringify(question)) ?? {};
      return { content, structuredContent };
    });
    return server;
  },
  { legacy: 'stateless' },
);
const answer = toNodeHandler(handler);
const app = createMcpFastifyApp();
app.all('/mcp', (request, reply) => {
  reply.hijack();
  return answer(request.raw as Parameters<typeof answer>[0], reply.raw, request.body);
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.once('SIGTERM', () => process.exit(0));
