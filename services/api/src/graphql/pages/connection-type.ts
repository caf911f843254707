import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import type { Fields } from '../schema/record-types.ts';

/** One page as a connection's resolver answers it. What `fields` adds beside it is the resolver's own. */
export interface Connection<T> {
  readonly edges: readonly { readonly cursor: string; readonly node: T }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

const pageInfoType = new GraphQLObjectType({
  name: 'PageInfo',
  description: 'Where a page lies in its list',
  fields: {
    hasNextPage: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Whether more follow: pass endCursor as after',
    },
    hasPreviousPage: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Whether some come before: pass startCursor as before, where the list takes it',
    },
    startCursor: { type: GraphQLString, description: 'Of the first in the page; null in an empty one' },
    endCursor: { type: GraphQLString, description: 'Of the last in the page; null in an empty one' },
  },
});

export interface ConnectionOptions {
  readonly node: GraphQLObjectType;
  /** Default: the node's. `BankStrategies` makes a `BankStrategiesConnection`. */
  readonly name?: string;
  /** Says how many there are in all, for lists that are in memory whole. */
  readonly hasTotalCount?: boolean;
  readonly fields?: Fields;
}

/** `XConnection` and `XEdge` of Relay, and `nodes` for who needs no cursor of each. */
export function createConnectionType({ node, name = node.name, ...options }: ConnectionOptions): GraphQLObjectType {
  const edge = new GraphQLObjectType({
    name: `${name}Edge`,
    fields: {
      cursor: { type: new GraphQLNonNull(GraphQLString), description: 'The place of this one; opaque' },
      node: { type: new GraphQLNonNull(node), description: 'What is listed' },
    },
  });
  return new GraphQLObjectType({
    name: `${name}Connection`,
    description: 'One page of a list',
    fields: () => ({
      edges: { type: listOf(edge), description: 'What is listed, each with its cursor' },
      nodes: {
        type: listOf(node),
        description: 'The same without their cursors',
        resolve: ({ edges }: Connection<unknown>) => edges.map(({ node: one }) => one),
      },
      pageInfo: { type: new GraphQLNonNull(pageInfoType), description: 'Whether there is more, and where' },
      ...(options.hasTotalCount === true && {
        totalCount: { type: new GraphQLNonNull(GraphQLInt), description: 'How many there are on all pages' },
      }),
      ...options.fields,
    }),
  });
}

function listOf(type: GraphQLObjectType) {
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));
}
