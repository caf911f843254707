import { type GraphQLNamedType, type GraphQLSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql';

/** How many values a field holds by which a schema describes itself, on average: over all types the sum of a list is exact. */
export type IntrospectionLengths = ReadonlyMap<string, number>;

const known = new WeakMap<GraphQLSchema, IntrospectionLengths>();

/** By type and field, such as `__Type.fields`; counted once for each schema. */
export function introspectionLengths(schema: GraphQLSchema): IntrospectionLengths {
  const counted = known.get(schema) ?? countLengths(schema);
  known.set(schema, counted);
  return counted;
}

function countLengths(schema: GraphQLSchema): IntrospectionLengths {
  const types = Object.values(schema.getTypeMap());
  const fields = types.flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()) : []));
  const perType = (count: (type: GraphQLNamedType) => number) => sum(types.map(count)) / types.length;
  return new Map([
    ['__Schema.types', types.length],
    ['__Schema.directives', schema.getDirectives().length],
    ['__Type.fields', fields.length / types.length],
    ['__Field.args', sum(fields.map(({ args }) => args.length)) / fields.length],
    // Clients ask nine levels of it, and few types wrap another more than once.
    ['__Type.ofType', 0.5],
    ['__Type.inputFields', perType((type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0))],
    ['__Type.enumValues', perType((type) => (isEnumType(type) ? type.getValues().length : 0))],
  ]);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
