import type { GraphQLFieldConfigMap } from 'graphql';
import type { GraphqlContext } from '../context.ts';
import type { RecordTypes } from './record-types.ts';

/** Everything that can be subscribed to; added to as `query-fields.ts` says. Each field has `subscribe`, an async iterable. */
export function subscriptionFields(_types: RecordTypes): GraphQLFieldConfigMap<unknown, GraphqlContext> {
  return {};
}
