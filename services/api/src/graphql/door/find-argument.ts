import {
  type GraphQLError,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
  parse,
  visit,
} from 'graphql';

/** What of a query GraphQL found wrong, and what it would take. */
export interface Refused {
  readonly allowed: string;
  /** `field` names the argument, the variable or the field; never a value. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Reads it off the library's own error: it has no other form. */
export function findArgument(schema: GraphQLSchema, error: GraphQLError): Refused {
  for (const [pattern, describe] of KINDS) {
    const match = pattern.exec(error.message);
    if (match !== null) return describe(schema, match.slice(1), error);
  }
  return { allowed: BY_SCHEMA, details: namedField(argumentAt(error)) };
}

const BY_SCHEMA = 'what the schema describes, see /graphql in a browser';

type Describe = (schema: GraphQLSchema, found: readonly string[], error: GraphQLError) => Refused;

const KINDS: readonly (readonly [RegExp, Describe])[] = [
  [
    /(depth|Aliases|Directives|Token) limit of (\d+) exceeded(?:, found (\d+))?/,
    (_schema, [kind = '', limit, found]) => ({
      allowed: `at most ${limit} ${LIMIT_WORDS[kind] ?? kind}`,
      details: { limit: Number(limit), ...(found !== undefined && { found: Number(found) }) },
    }),
  ],
  [
    /^Cannot query field "(\w+)" on type "(\w+)"/,
    (schema, [field = '', type = '']) => {
      const names = fieldNames(schema, type);
      return { allowed: `the fields of ${type}, in details.allowed_fields`, details: { field, allowed_fields: names } };
    },
  ],
  [
    /^Unknown argument "(\w+)" on field "(\w+)\.(\w+)"/,
    (schema, [field = '', type = '', of = '']) => {
      const parent = schema.getType(type);
      const names = isObjectType(parent) ? (parent.getFields()[of]?.args.map(({ name }) => name) ?? []) : [];
      return {
        allowed: names.length === 0 ? 'no arguments' : names.join(', '),
        details: { field, allowed_fields: names },
      };
    },
  ],
  [
    /^Field "(\w+)" is not defined by type "(\w+)"/,
    (schema, [field = '', type = '']) => {
      const names = fieldNames(schema, type);
      return { allowed: names.join(', '), details: { field, allowed_fields: names } };
    },
  ],
  [/ in "(\w+)" enum/, ofType],
  [/Enum "(\w+)" cannot represent/, ofType],
];

const LIMIT_WORDS: Readonly<Record<string, string>> = {
  depth: 'selections below each other',
  Aliases: 'aliases',
  Directives: 'directives',
  Token: 'words and signs',
};

function ofType(schema: GraphQLSchema, [name = '']: readonly string[], error: GraphQLError): Refused {
  const type = schema.getType(name);
  const allowed = isEnumType(type)
    ? type
        .getValues()
        .map((value) => value.name)
        .join(', ')
    : BY_SCHEMA;
  return { allowed, details: { ...namedField(argumentAt(error)), allowed } };
}

function fieldNames(schema: GraphQLSchema, typeName: string): readonly string[] {
  const type = schema.getType(typeName);
  return isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : [];
}

function namedField(field: string | undefined): Readonly<Record<string, unknown>> {
  return field === undefined ? {} : { field };
}

/** The argument, or the variable, in which the error lies. */
function argumentAt({ message, source, positions }: GraphQLError): string | undefined {
  const variable = /^Variable "\$(\w+)"/.exec(message)?.[1];
  const [position] = positions ?? [];
  if (variable !== undefined || source === undefined || position === undefined) return variable;
  let found: string | undefined;
  const enter = ({
    name,
    loc,
  }: {
    readonly name: { readonly value: string };
    readonly loc?: { start: number; end: number };
  }) => {
    if (loc !== undefined && loc.start <= position && position <= loc.end) found = name.value;
  };
  try {
    visit(parse(source), { Argument: { enter }, ObjectField: { enter } });
  } catch {
    // What cannot be parsed has no arguments.
  }
  return found;
}
