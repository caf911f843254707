import { type ErrorCode, isForOperator, isLendingError, LendingError, toWireError, wireStatus } from '@lending/errors';
import type { Logger } from '@lending/runtime';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../limits/request-scopes.ts';
import { type AllowedMethods, collectMethods } from './allowed-methods.ts';
import { docsBaseOf } from './docs-base.ts';
import { cacheControl } from './send-answer.ts';

/** Every failure of REST leaves as the wire's error body with the status of its code, the framework's own included. */
export function addErrorHandlers(
  app: FastifyInstance,
  options: { readonly logger: Logger; readonly bodyLimitBytes: number },
): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = isLendingError(error) ? error : fromFrameworkError(error, options.bodyLimitBytes);
    // What fails because its caller went away is read by nobody, and says nothing of this service.
    if (isForOperator(known) && !request.visitor.signal.aborted) {
      const { requestId } = request.visitor;
      options.logger.error('rest.request.fail', { route: request.routeOptions.url, request_id: requestId, error });
    }
    return sendError(reply, known);
  });
  const allowedAt = collectMethods(app);
  // Before the body is read: what it is does not matter where nothing takes it.
  app.addHook('preParsing', async (request, reply) => {
    if (request.is404) throw unroutable(request, reply, allowedAt);
  });
  app.setNotFoundHandler((request, reply) => sendError(reply, unroutable(request, reply, allowedAt)));
}

/** For errors the framework meets before there is a request, such as a URL that cannot be decoded. */
export function sendFrameworkError(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  void sendError(reply, fromFrameworkError(error, 0));
}

function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  const body = toWireError(error, docsBaseOf(reply.request));
  if (body.retry_after_s !== undefined) reply.header('retry-after', body.retry_after_s);
  return reply
    .code(wireStatus(body.code))
    .header('cache-control', cacheControl(reply, 'no-store'))
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}

/** Why no route answers: there is none at the path, or none with the method, and then `Allow` names those there are. */
function unroutable(request: FastifyRequest, reply: FastifyReply, allowedAt: AllowedMethods): LendingError {
  const [written = ''] = request.url.split('?');
  const path = written.replaceAll(/[^\w./{}-]/g, '?').slice(0, 100);
  const { method } = request;
  const allowed = allowedAt(pathOf(request));
  // What serves files has a route for every name, and finds nothing behind some.
  if (allowed.length === 0 || allowed.includes(method)) {
    return new LendingError('ROUTE__NOT_FOUND', {
      message: `There is no ${method} ${path} — allowed: the paths of /v1/openapi.json — call GET /v1/openapi.json to see them`,
      context: { method, path },
    });
  }
  const names = allowed.join(', ');
  reply.header('allow', names);
  return new LendingError('ROUTE__METHOD_UNSUPPORTED', {
    message: `${path} takes no ${method} — allowed: ${names} — call it with one of these methods`,
    context: { method, path, allowed },
  });
}

/** What the framework refuses before a handler runs is the caller's input; anything else stays a surprise. */
export function fromFrameworkError(error: FastifyError, bodyLimitBytes: number): unknown {
  const status = error.statusCode ?? 500;
  if (status < 400 || status >= 500 || !error.code?.startsWith('FST_')) return error;
  const [code, wrong, allowed, context = {}] = describeFrameworkError(error.code, bodyLimitBytes);
  return new LendingError(code, {
    message: `${wrong} — allowed: ${allowed} — correct the request and send it again`,
    context,
    cause: error,
  });
}

type Refusal = readonly [code: ErrorCode, wrong: string, allowed: string, context?: Readonly<Record<string, unknown>>];

function describeFrameworkError(code: string, bodyLimitBytes: number): Refusal {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return [
        'ROUTE__BODY_EXCEEDED',
        'The body is too large',
        `at most ${bodyLimitBytes} bytes`,
        { max_bytes: bodyLimitBytes },
      ];
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return ['ROUTE__MEDIA_TYPE_UNSUPPORTED', 'The content-type is not taken here', 'application/json'];
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return ['TOOL__INPUT_INVALID', 'The body is not JSON', 'one JSON object'];
    case 'FST_ERR_BAD_URL':
      return ['TOOL__INPUT_INVALID', 'The path cannot be decoded', 'percent-encoded UTF-8'];
    default:
      return ['TOOL__INPUT_INVALID', 'The request is malformed', 'a request as /v1/openapi.json describes it'];
  }
}
