import { wireStatus } from '@lending/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { aggregatorKeyHeaders } from '#tools/aggregator-keys.ts';
import type { AnswerCall } from '#tools/answer-call.ts';
import { invalid } from '#tools/parse-input.ts';
import { COMMON_ERRORS, type Operation, REPORT_NOTHING } from '#tools/tool.ts';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { addCompression, COMPRESSED } from './compression.ts';
import { deprecationHeaders } from './deprecation-headers.ts';
import { docsBaseOf } from './docs-base.ts';
import { sendOnce, sendRead } from './send-answer.ts';

export interface OperationRoutesOptions {
  readonly operations: readonly Operation[];
  readonly answerCall: AnswerCall;
}

/** One REST route for every operation. The schemas are for the OpenAPI page; checking is done by `parseInput`. */
export async function operationRoutes(scope: FastifyInstance, options: OperationRoutesOptions): Promise<void> {
  scope.setValidatorCompiler(() => (value) => ({ value }));
  await addCompression(scope);
  for (const operation of options.operations) {
    const { path, alsoPath } = operation.rest;
    addRoute(scope, options.answerCall, operation, path, operation.name);
    if (alsoPath !== undefined) addRoute(scope, options.answerCall, operation, alsoPath, `${operation.name}_by_query`);
  }
}

function addRoute(
  scope: FastifyInstance,
  answerCall: AnswerCall,
  operation: Operation,
  path: string,
  operationId: string,
): void {
  const { rest, deprecated } = operation;
  const { method } = rest;
  const isRead = method === 'GET' && operation.isAboutNow !== true;
  const send = isRead ? sendRead : sendOnce;
  const ending = deprecated === undefined ? null : deprecationHeaders(deprecated);
  const openApiPath = path.replaceAll(/:(\w+)/g, '{$1}');
  const callName = `${method} ${openApiPath}`;
  scope.route({
    method,
    url: path,
    schema: {
      operationId,
      summary: operation.title,
      description: operation.description,
      ...(deprecated !== undefined && { deprecated: true }),
      ...splitInput(operation, path),
      ...(operation.takesAggregatorKeys === true && { headers: aggregatorKeyHeaders }),
      response: describeResponses(operation),
    },
    config: { bodyExamples: operation.examples ?? [], sunset: deprecated?.sunset },
    ...(isRead && COMPRESSED),
    handler: async (request, reply) => {
      const { visitor, headers } = request;
      if (ending !== null) reply.headers(ending);
      const answer = await answerCall(operation, {
        door: 'rest',
        callName,
        given: givenInput(request, operation, callName),
        headerOf: (name) => headers[name]?.toString(),
        visitor,
        agent: headers['user-agent'] ?? null,
        conversation: headers['x-conversation-id']?.toString() ?? null,
        tellConversation: (id) => void reply.header('x-conversation-id', id),
        signal: visitor.signal,
        report: REPORT_NOTHING,
        docsBase: docsBaseOf(request),
      });
      return send(reply, answer);
    },
  });
}

function givenInput(request: FastifyRequest, { input }: Operation, callName: string): unknown {
  if (request.method === 'POST') return request.body;
  const query = request.query as Record<string, unknown>;
  const params = request.params as Record<string, unknown>;
  // Whichever of two values won, somebody would be answered about what he did not ask for.
  const twice = Object.keys(params).find((name) => Object.hasOwn(query, name));
  if (twice !== undefined) {
    throw invalid(`${twice} is given twice`, 'once, in the path', callName, { field: twice });
  }
  const repeated = Object.keys(query).find((name) => Array.isArray(query[name]) && !takesSeveral(input, name));
  if (repeated !== undefined) {
    throw invalid(`${repeated} is given twice`, 'once', callName, { field: repeated });
  }
  return { ...query, ...params };
}

/** Also what is no field: that it is unknown says more. */
function takesSeveral({ shape }: Operation['input'], name: string): boolean {
  return !Object.hasOwn(shape, name) || z.safeParse(shape[name] as z.ZodType, ['one', 'another']).success;
}

/** Path segments are parameters; the rest of the input is the query, or the body of a POST. */
function splitInput({ input, rest }: Operation, path: string): Record<string, z.ZodType> {
  const names = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  const fields = Object.entries(input.shape);
  // A path parameter is never optional, whatever the field is elsewhere.
  const params = Object.fromEntries(
    fields.flatMap(([name, field]) =>
      names.has(name) ? [[name, field instanceof z.ZodOptional ? describedAs(field) : field]] : [],
    ),
  );
  const others = Object.fromEntries(fields.filter(([name]) => !names.has(name)));
  return {
    ...(Object.keys(params).length > 0 && { params: z.strictObject(params) }),
    ...(Object.keys(others).length > 0 && {
      [rest.method === 'POST' ? 'body' : 'querystring']: z.strictObject(others),
    }),
  };
}

/** The field itself, required, with its words. */
function describedAs(field: z.ZodOptional): z.ZodType {
  const required = field.unwrap() as z.ZodType;
  return field.description === undefined ? required : required.describe(field.description);
}

function describeResponses(operation: Operation): Record<number, unknown> {
  const others = (operation.otherMediaTypes ?? []).map((type) => [type, { schema: z.string() }]);
  const answer = {
    description: operation.title,
    content: { 'application/json': { schema: operation.output }, ...Object.fromEntries(others) },
  };
  const failure = (description: string) => ({
    description,
    content: { 'application/json': { schema: wireErrorSchema } },
  });
  const byStatus = Map.groupBy([...COMMON_ERRORS, ...(operation.errors ?? [])], wireStatus);
  const failures = [...byStatus].map(([status, codes]) => [status, failure(codes.join(', '))]);
  return { 200: answer, ...Object.fromEntries(failures) };
}
