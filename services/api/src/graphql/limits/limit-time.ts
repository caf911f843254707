import { LendingError } from '@lending/errors';
import type { Plugin } from 'graphql-yoga';
import type { GraphqlContext } from '../context.ts';

/** Stops working on a query that takes too long, or whose caller went away. A subscription lasts. */
export function limitTime(timeoutMs: number): Plugin<GraphqlContext> {
  return {
    onExecute({ args }) {
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(tookTooLong(timeoutMs)), timeoutMs);
      // The executor takes a signal; the library's type does not know.
      Object.assign(args, { signal: AbortSignal.any([args.contextValue.signal, deadline.signal]) });
      return { onExecuteDone: () => clearTimeout(timer) };
    },
    onSubscribe({ args }) {
      Object.assign(args, { signal: args.contextValue.signal });
    },
  };
}

function tookTooLong(timeoutMs: number): LendingError {
  return new LendingError('DATA__UNAVAILABLE', {
    message: `The query was not answered within ${timeoutMs / 1000} s — allowed: queries that ask for less — ask for a smaller first or a shorter range, or send it again later`,
  });
}
