import swagger, { type SwaggerTransform } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';

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
      tags: [{ name: 'lending', description: 'Banks, rates and the state of the service' }],
      // Nothing here asks who the caller is.
      security: [],
      servers: [{ url: '/', description: 'This server' }],
    },
    transform: withBodyExamples(createJsonSchemaTransform({ skipList: [] }) as SwaggerTransform),
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: DOCS_CSP,
    uiConfig: { layout: 'BaseLayout' },
  });
  let text: string | undefined;
  app.get('/v1/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    text ??= JSON.stringify(app.swagger());
    return reply.type('application/json; charset=utf-8').send(text);
  });
}

/** What converts the schemas drops the examples of a whole body, so they are put in afterwards. */
function withBodyExamples(transform: SwaggerTransform): SwaggerTransform {
  return (route) => {
    const told = transform(route);
    const { bodyExamples: examples = [] } = (route.route.config ?? {}) as {
      readonly bodyExamples?: readonly unknown[];
    };
    const { body, ...schema } = told.schema as { readonly body?: object };
    if (body === undefined || examples.length === 0) return told;
    return { ...told, schema: { ...schema, body: { ...body, examples: [...examples] } } };
  };
}
