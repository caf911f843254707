import { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { queryFields } from './query-fields.ts';
import { createRecordTypes } from './record-types.ts';
import { SCALARS } from './scalars.ts';
import { nameSharedTypes } from './shared-types.ts';
import { subscriptionFields } from './subscription-fields.ts';

/** The whole schema: types made of the zod records, and the fields that find them. Reads nothing. */
export function createGraphqlSchema(): GraphQLSchema {
  const types = createRecordTypes();
  nameSharedTypes(types);
  const query = queryFields(types);
  const subscription = subscriptionFields(types);
  return new GraphQLSchema({
    description:
      'Lending on Solana: banks of Project 0, the reserves of the venues they reach, accounts, activity and the history of rates. ' +
      'Names ending in Pct are percent (a year, compounded, where they are rates), Usd is USD, Ui is whole tokens, Raw is base units. ' +
      'null is unknown, 0 is measured zero, [] is looked and found none.',
    query: new GraphQLObjectType({ name: 'Query', fields: query }),
    ...(Object.keys(subscription).length > 0 && {
      subscription: new GraphQLObjectType({ name: 'Subscription', fields: subscription }),
    }),
    types: [...SCALARS],
  });
}
