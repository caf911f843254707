import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { isForOperator, LendingError, toWireError } from '@lending/errors';
import type { Logger } from '@lending/runtime';
import type { FastifyRequest } from 'fastify';
import { GraphQLError, type GraphQLErrorExtensions, type GraphQLSchema } from 'graphql';
import { docsBaseOf } from '../../rest/docs-base.ts';
import { describeRefusal } from './describe-refusal.ts';

/** What errors say of the request that they belong to. */
interface ErrorRequest {
  readonly requestId: string;
  /** What the page of a code is addressed by, before the code. */
  readonly docsBase: string;
}

/** Which request an error belongs to: the libraries between do not say. */
const requests = new AsyncLocalStorage<ErrorRequest>();

/** Runs what answers one request, so that its errors name it. */
export function withRequest<T>({ visitor, protocol, host }: FastifyRequest, answer: () => T): T {
  return requests.run({ requestId: visitor.requestId, docsBase: docsBaseOf({ protocol, host }) }, answer);
}

export interface WireErrors {
  /** An error as it may leave: with code, words and details of the wire, and nothing of what an operator is told. */
  show(error: unknown): GraphQLError;
}

/** What our resolvers threw is told as at the other doors; what GraphQL found wrong with the query is the caller's input. */
export function createWireErrors(schema: GraphQLSchema, logger: Logger): WireErrors {
  const shown = new WeakSet<object>();

  function show(error: unknown): GraphQLError {
    if (error instanceof GraphQLError && shown.has(error)) return error;
    const { requestId, docsBase } = requests.getStore() ?? { requestId: randomUUID(), docsBase: docsBaseOf(null) };
    const cause = causeOf(error);
    const known = cause === undefined ? refusalOf(schema, error as GraphQLError) : cause;
    if (isForOperator(known)) {
      logger.error('graphql.request.fail', { request_id: requestId, error: known });
    }
    const { error: message, retry_after_s: retryAfterS, ...rest } = toWireError(known, docsBase);
    const extensions: GraphQLErrorExtensions = {
      ...rest,
      ...(retryAfterS !== undefined && { retryAfterS }),
      requestId,
    };
    const told = new GraphQLError(message, { ...placeOf(error), extensions: { ...httpOf(error), ...extensions } });
    shown.add(told);
    return told;
  }

  return { show };
}

/** What was thrown; undefined where GraphQL itself refused the query. */
function causeOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return error;
  if (error.originalError !== undefined) return causeOf(error.originalError);
  // A scalar that cannot say a value of ours is our mistake; `path` is there only once something was executed.
  return error.path === undefined || error.message.startsWith('Argument "') ? undefined : error;
}

/** What GraphQL refuses, in the words of every other refused input: what, what is allowed, what to do. */
function refusalOf(schema: GraphQLSchema, error: GraphQLError): LendingError {
  const { wrong, allowed, details } = describeRefusal(schema, error);
  return new LendingError('TOOL__INPUT_INVALID', {
    message: `${wrong} — allowed: ${allowed} — correct the query and send it again`,
    context: details,
    cause: error,
  });
}

function placeOf(error: unknown) {
  if (!(error instanceof GraphQLError)) return {};
  const { nodes, source, positions, path } = error;
  return { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null, path: path ?? null };
}

/** The status that a transport library wants; it takes it out again. */
function httpOf(error: unknown): GraphQLErrorExtensions {
  if (!(error instanceof GraphQLError)) return {};
  // Some rules do not say that they refuse a request: nothing was executed, so it is one that was refused.
  if (/^Syntax Error: (Query depth|Aliases|Directives|Token) limit of|^Schema is not configured/.test(error.message)) {
    return { http: { status: 400, spec: true } };
  }
  // A body that is no JSON is no request of GraphQL's, whatever the caller takes for an answer.
  if (error.message.startsWith('POST body sent invalid JSON')) return { http: { status: 400 } };
  return error.extensions.http === undefined ? {} : { http: error.extensions.http };
}
