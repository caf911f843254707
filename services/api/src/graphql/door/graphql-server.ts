import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import { invalid } from '#tools/parse-input.ts';
import { CALL_NAME, type GraphqlContext } from '../context.ts';
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
    plugins: [
      refuseNoJson(),
      ...limitDocument(limits),
      limitCost(limits.maxCost),
      limitTime(limits.timeoutMs),
      showErrors(errors),
    ],
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

/** In a URL `variables` and `extensions` are JSON too; the library takes what is none for its own failure. */
function refuseNoJson(): Plugin {
  return {
    onRequestParse({ requestParser, setRequestParser }) {
      if (requestParser === undefined) return;
      setRequestParser((request) => {
        try {
          return requestParser(request);
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
          const originalError = invalid('variables or extensions cannot be parsed', 'JSON objects', CALL_NAME, {});
          throw new GraphQLError(originalError.message, { originalError, extensions: { http: { status: 400 } } });
        }
      });
    },
  };
}
