import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { TextReply } from '#tools/tool.ts';
import { addCompression, COMPRESSED } from './compression.ts';
import { completeDocument } from './openapi/complete-document.ts';
import { describeRoute } from './openapi/describe-route.ts';
import { SHARED_PARTS } from './openapi/shared-parts.ts';
import { sendRead } from './send-answer.ts';

/** Everything the page needs comes from this server; nothing inline runs. Swagger UI sets styles from its script. */
const DOCS_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Collects the routes that follow into one OpenAPI 3.1 document. Register it before them. */
export async function addOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lending agent service',
        version,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
        description:
          'Lending on Solana: live rates, limits and history of Project 0 and the venues its banks reach. ' +
          'Amounts are UI token units, `_pct` is percent a year, `_usd` is USD, null is unknown. The same operations are MCP tools at /mcp.',
      },
      servers: [{ url: '/', description: 'This server' }],
      // Routes name one of them, which has to be known by then.
      components: { securitySchemes: SHARED_PARTS.securitySchemes },
    },
    transform: describeRoute,
    transformObject: (given) => completeDocument('openapiObject' in given ? given.openapiObject : given.swaggerObject),
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: DOCS_CSP,
    uiConfig: { layout: 'BaseLayout' },
  });
  let document: TextReply | undefined;
  await app.register(async (scope) => {
    await addCompression(scope);
    scope.get('/v1/openapi.json', { schema: { hide: true }, ...COMPRESSED }, async (_request, reply) => {
      document ??= new TextReply('application/json; charset=utf-8', JSON.stringify(app.swagger()));
      return sendRead(reply, document);
    });
  });
}
