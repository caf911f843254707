import { GraphQLError, type GraphQLSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql';
import { argumentAt } from './argument-at.ts';

/** What of a query GraphQL found wrong, and what it would take. */
export interface Refusal {
  /** Never a value of the caller's: it may be a secret in the wrong place. */
  readonly wrong: string;
  readonly allowed: string;
  /** `field` names the argument, the variable or the field. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Reads it off the library's own error, which has no other form than words, and repeats values in most of them. */
export function describeRefusal(schema: GraphQLSchema, error: GraphQLError): Refusal {
  for (const [pattern, describe] of KINDS) {
    const match = pattern.exec(error.message);
    if (match !== null) return describe(schema, match.slice(1), error);
  }
  return { wrong: withoutValues(error.message), allowed: BY_SCHEMA, details: namedField(argumentAt(error)) };
}

const BY_SCHEMA = 'what the schema describes, see /graphql in a browser';

type Describe = (schema: GraphQLSchema, found: readonly string[], error: GraphQLError) => Refusal;

const LIMIT_WORDS: Readonly<Record<string, string>> = {
  'Query depth': 'selections below each other',
  Aliases: 'aliases',
  Directives: 'directives',
  Token: 'words and signs',
};

/** What GraphQL's own scalars take. */
const SCALAR_WORDS: Readonly<Record<string, string>> = {
  Int: 'a whole number from -2147483648 to 2147483647',
  Float: 'a number',
  String: 'text',
  Boolean: 'true or false',
  ID: 'text',
};

const KINDS: readonly (readonly [RegExp, Describe])[] = [
  [
    /^Syntax Error: (Query depth|Aliases|Directives|Token) limit of (\d+) exceeded(?:, found (\d+))?/,
    (_schema, [kind = '', limit, found]) => {
      const words = LIMIT_WORDS[kind] ?? kind;
      const wrong = `The query has ${found === undefined ? 'too many' : `${found}`} ${words}`;
      const details = { limit: Number(limit), ...(found !== undefined && { found: Number(found) }) };
      return { wrong, allowed: `at most ${limit} ${words}`, details };
    },
  ],
  [
    /^Syntax Error: (?:Expected ("[^"\w]{1,3}"|[A-Z]\w*),)?/,
    (_schema, [expected], { locations }) => {
      const [at] = locations ?? [];
      const place = at === undefined ? '' : ` at line ${at.line}, column ${at.column}`;
      const allowed = expected === undefined ? 'a document of GraphQL' : `${expected} there`;
      return { wrong: `The query cannot be parsed${place}`, allowed, details: at === undefined ? {} : { ...at } };
    },
  ],
  [
    /^Variable "\$(\w+)" got invalid value /,
    (schema, [variable = ''], error) => {
      const { originalError: reason } = error;
      const cause = reason instanceof GraphQLError ? (reason.originalError ?? reason) : reason;
      const told = cause instanceof GraphQLError ? describeRefusal(schema, cause) : undefined;
      const field = printable(variable);
      const isNamed = told?.details.allowed_fields !== undefined;
      const wrong = isNamed ? `${told?.wrong}, in the variable ${field}` : `The variable ${field} ${NOT_ALLOWED}`;
      const allowed = told?.allowed ?? BY_SCHEMA;
      return { wrong, allowed, details: { field, allowed, ...(isNamed && told?.details) } };
    },
  ],
  [
    /^Variable "\$(\w+)"/,
    (_schema, [variable = ''], { message }) => ({
      wrong: withoutValues(message),
      allowed: BY_SCHEMA,
      details: { field: printable(variable) },
    }),
  ],
  [
    /^Cannot query field "(\w+)" on type "(\w+)"/,
    (schema, [field = '', type = '']) => ({
      wrong: `${type} has no field "${printable(field)}"`,
      allowed: `the fields of ${type}, in details.allowed_fields`,
      details: { field: printable(field), allowed_fields: fieldNames(schema, type) },
    }),
  ],
  [
    /^Unknown argument "(\w+)" on field "(\w+)\.(\w+)"/,
    (schema, [field = '', type = '', of = '']) => {
      const parent = schema.getType(type);
      const names = isObjectType(parent) ? (parent.getFields()[of]?.args.map(({ name }) => name) ?? []) : [];
      return {
        wrong: `${type}.${of} has no argument "${printable(field)}"`,
        allowed: names.length === 0 ? 'no arguments' : names.join(', '),
        details: { field: printable(field), allowed_fields: names },
      };
    },
  ],
  [
    /^Field "([^"]*)" is not defined by type "(\w+)"/,
    (schema, [field = '', type = '']) => {
      const names = fieldNames(schema, type);
      return {
        wrong: `${type} has no field "${printable(field)}"`,
        allowed: names.join(', '),
        details: { field: printable(field), allowed_fields: names },
      };
    },
  ],
  [/ in "(\w+)" enum/, (schema, [type = ''], error) => notAllowed(error, valuesOf(schema, type))],
  [/Enum "(\w+)" cannot represent/, (schema, [type = ''], error) => notAllowed(error, valuesOf(schema, type))],
  [
    /^(Int|Float|String|Boolean|ID) cannot represent/,
    (_schema, [type = ''], error) => notAllowed(error, SCALAR_WORDS[type] ?? BY_SCHEMA),
  ],
  [/^\w+ takes (.*)$/, (_schema, [allowed = ''], error) => notAllowed(error, allowed)],
  [
    /^Expected (?:value of type|type|non-nullable type) "([\w![\]]+)"/,
    (_schema, [type = ''], error) => notAllowed(error, `a value of the type ${type}`),
  ],
  [
    /^POST body is expected to be object/,
    () => ({ wrong: 'The body is not an object', allowed: 'a JSON object with query and variables', details: {} }),
  ],
];

const NOT_ALLOWED = 'has a value that is not allowed';

function notAllowed(error: GraphQLError, allowed: string): Refusal {
  const field = argumentAt(error);
  const details = { ...namedField(field), allowed };
  return { wrong: `${field === undefined ? 'An argument' : printable(field)} ${NOT_ALLOWED}`, allowed, details };
}

function valuesOf(schema: GraphQLSchema, typeName: string): string {
  const type = schema.getType(typeName);
  if (!isEnumType(type)) return BY_SCHEMA;
  const names = type.getValues().map(({ name }) => name);
  return names.join(', ');
}

function fieldNames(schema: GraphQLSchema, typeName: string): readonly string[] {
  const type = schema.getType(typeName);
  return isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : [];
}

function namedField(field: string | undefined): Readonly<Record<string, unknown>> {
  return field === undefined ? {} : { field: printable(field) };
}

/** Of what is left, only names: in quotes, short, and nothing that was found instead of something. */
function withoutValues(message: string): string {
  return message
    .replace(/ Did you mean .*$/s, '')
    .replace(/(,? found|,? but received| has invalid value|: ).*$/s, '')
    .replaceAll(/"([^"]*)"/g, (_quoted, name: string) => `"${printable(name)}"`)
    .replace(/\.$/, '');
}

/** A caller's name for something may be anything, a secret too: cut short, letters and signs only. */
function printable(name: string): string {
  return name.replaceAll(/[^\w.$@![\]:()-]/g, '?').slice(0, 40);
}
