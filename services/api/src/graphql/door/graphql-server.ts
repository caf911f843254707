import type { DocumentNode, GraphQLSchema } from 'graphql';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { GraphqlContext } from '../context.ts';
import { createDocumentCache } from '../limits/document-cache.ts';
import type { GraphqlLimits } from '../limits/graphql-limits.ts';
import { limitCost } from '../limits/limit-cost.ts';
import { limitDocument } from '../limits/limit-document.ts';
import { limitTime } from '../limits/limit-time.ts';
import type { WireErrors } from './wire-errors.ts';

export interface GraphqlServerOptions {
  readonly schema: GraphQLSchema;
  readonly limits: GraphqlLimits;
  readonly errors: WireErrors;
}

export type GraphqlServer = YogaServerInstance<GraphqlContext, object>;

/** GraphQL over HTTP without a socket: requests in, responses out. */
export function createGraphqlServer({ schema, limits, errors }: GraphqlServerOptions): GraphqlServer {
  return createYoga<GraphqlContext>({
    schema,
    graphqlEndpoint: '/graphql',
    // Pages, other origins and health are the app's own matter; reading a public answer needs no cookie, so none is allowed.
    graphiql: false,
    landingPage: false,
    cors: { origin: '*', credentials: false, methods: ['GET', 'POST', 'OPTIONS'] },
    logging: false,
    batching: false,
    multipart: false,
    parserAndValidationCache: {
      documentCache: createDocumentCache<DocumentNode>(),
      errorCache: createDocumentCache<unknown>(),
    },
    maskedErrors: { maskError: errors.show, errorMessage: '' },
    plugins: [...limitDocument(limits), limitCost(limits.maxCost), limitTime(limits.timeoutMs), showErrors(errors)],
  });
}

/** Those as well that never reached a resolver. */
function showErrors(errors: WireErrors): Plugin {
  return {
    onResultProcess({ result, setResult }) {
      if (Symbol.asyncIterator in result || Array.isArray(result) || !('errors' in result)) return;
      setResult({ ...result, errors: result.errors?.map(errors.show) });
    },
  };
}
