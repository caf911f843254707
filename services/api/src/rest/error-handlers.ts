import { isForOperator, isLendingError, LendingError, toWireError, wireStatus } from '@lending/errors';
import type { Logger } from '@lending/runtime';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
  app.setNotFoundHandler((request, reply) => sendError(reply, routeNotFound(request)));
}

/** For errors the framework meets before there is a request, such as a URL that cannot be decoded. */
export function sendFrameworkError(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  void sendError(reply, fromFrameworkError(error, 0));
}

function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  const body = toWireError(error);
  if (body.retry_after_s !== undefined) reply.header('retry-after', body.retry_after_s);
  return reply
    .code(wireStatus(body.code))
    .header('cache-control', cacheControl(reply, 'no-store'))
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}

function routeNotFound(request: FastifyRequest): LendingError {
  const path = request.url
    .split('?')[0]
    ?.replaceAll(/[^\w./{}-]/g, '?')
    .slice(0, 100);
  return new LendingError('ROUTE__NOT_FOUND', {
    message: `There is no ${request.method} ${path} — allowed: the paths of /v1/openapi.json — call GET /v1/openapi.json to see them`,
    context: { method: request.method, path },
  });
}

/** What the framework refuses before a handler runs is the caller's input; anything else stays a surprise. */
export function fromFrameworkError(error: FastifyError, bodyLimitBytes: number): unknown {
  const status = error.statusCode ?? 500;
  if (status < 400 || status >= 500 || !error.code?.startsWith('FST_')) return error;
  const [wrong, allowed] = describeFrameworkError(error.code, bodyLimitBytes);
  return new LendingError('TOOL__INPUT_INVALID', {
    message: `${wrong} — allowed: ${allowed} — correct the request and send it again`,
    cause: error,
  });
}

function describeFrameworkError(code: string, bodyLimitBytes: number): readonly [string, string] {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return ['The body is too large', `at most ${bodyLimitBytes} bytes`];
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return ['The content-type is not taken here', 'application/json'];
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return ['The body is not JSON', 'one JSON object'];
    case 'FST_ERR_BAD_URL':
      return ['The path cannot be decoded', 'percent-encoded UTF-8'];
    default:
      return ['The request is malformed', 'a request as /v1/openapi.json describes it'];
  }
}
