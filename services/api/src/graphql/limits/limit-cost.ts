import type { ExecutionArgs } from 'graphql';
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { invalid } from '#tools/parse-input.ts';
import { CALL_NAME } from '../context.ts';
import { computeQueryCost } from './query-cost.ts';

/** Refuses a query, or a subscription, that may cost more, before anything of it is read. */
export function limitCost(maxCost: number): Plugin {
  const refusal = ({ schema, document, operationName, variableValues }: ExecutionArgs): GraphQLError | null => {
    const counted = computeQueryCost({ schema, document, operationName, variables: variableValues });
    return counted === null || counted.cost <= maxCost ? null : tooDear(counted.cost, maxCost, counted.largest);
  };
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const error = refusal(args as ExecutionArgs);
      if (error !== null) setResultAndStopExecution({ errors: [error] });
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const error = refusal(args as ExecutionArgs);
      if (error !== null) setResultAndStopExecution({ errors: [error] });
    },
  };
}

function tooDear(cost: number, maxCost: number, path: readonly string[]): GraphQLError {
  const largest = path.slice(0, -1).join('.') || path.join('.');
  const error = invalid(
    `The query may cost ${cost}, most of it in ${largest}`,
    `queries of a cost up to ${maxCost}: ask for fewer fields, a smaller first, a shorter range or a longer interval`,
    CALL_NAME,
    { cost, max_cost: maxCost, largest },
  );
  // Refused before it was executed: a request error, which GraphQL over HTTP gives the status 400 in its own media type.
  return new GraphQLError(error.message, { originalError: error, extensions: { http: { status: 400, spec: true } } });
}
