import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';

/** Texts and numbers with a meaning that GraphQL's own scalars do not tell. Amounts and slots are never Int: it ends at 2^31. */

export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description:
    'A time as ISO-8601 text in UTC, such as 2026-11-21T09:56:40.000Z. Arguments take any offset, and a day alone',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (value) => (value instanceof Date ? value.toISOString() : String(value)),
  parseValue: (value) => readTime(value),
  parseLiteral: (node) => located(node, () => readTime(textOf(node))),
});

const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

function readTime(value: unknown): Date {
  const time = typeof value === 'string' && TIME.test(value) ? new Date(value) : null;
  if (time === null || Number.isNaN(time.getTime())) {
    throw new GraphQLError('DateTime takes ISO-8601 text such as 2026-11-21T09:56:40Z or 2026-11-21');
  }
  return time;
}

export const PublicKey = textScalar({
  name: 'PublicKey',
  description: 'An address on Solana: 32 bytes as base58 text',
  pattern: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  allowed: 'a Solana address of 32 to 44 base58 characters',
});

export const Decimal = textScalar({
  name: 'Decimal',
  description: 'An exact number as decimal text, such as "1.000000000000000001": for sums that a float would round',
  pattern: /^-?\d{1,60}(\.\d{1,60})?$/,
  allowed: 'decimal text such as "1.5"',
});

export const BigInteger = textScalar({
  name: 'BigInt',
  description: 'A whole number as decimal text, such as base units of a token; exact where a float is not',
  pattern: /^-?\d{1,60}$/,
  allowed: 'a whole number as text such as "1500000"',
});

/** Slots pass 2^31 and stay below 2^53, so a JSON number holds them exactly, as it does at the other doors. */
export const Slot = new GraphQLScalarType<number, number>({
  name: 'Slot',
  description: 'A slot of the chain: a whole number of JSON up to 2^53 − 1, more than Int holds',
  serialize: (value) => readSlot(typeof value === 'bigint' ? Number(value) : value),
  parseValue: readSlot,
  parseLiteral: (node) => located(node, () => readSlot(node.kind === Kind.INT ? Number(node.value) : textOf(node))),
});

function readSlot(value: unknown): number {
  const slot = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof slot === 'number' && Number.isSafeInteger(slot) && slot >= 0) return slot;
  throw new GraphQLError('Slot takes a whole number from 0 to 2^53 − 1');
}

export const SCALARS: readonly GraphQLScalarType[] = [DateTime, PublicKey, Decimal, BigInteger, Slot];

function textScalar(options: {
  readonly name: string;
  readonly description: string;
  readonly pattern: RegExp;
  readonly allowed: string;
}): GraphQLScalarType<string, string> {
  const { name, description, pattern, allowed } = options;
  const read = (value: unknown): string => {
    if (typeof value === 'string' && pattern.test(value)) return value;
    throw new GraphQLError(`${name} takes ${allowed}`);
  };
  return new GraphQLScalarType<string, string>({
    name,
    description,
    // What the tables hold was checked when it was written.
    serialize: String,
    parseValue: read,
    parseLiteral: (node) => located(node, () => read(textOf(node))),
  });
}

function textOf(node: ValueNode): string | undefined {
  return node.kind === Kind.STRING ? node.value : undefined;
}

/** Says where in the query a value is refused: the library only does for errors that are not its own. */
function located<T>(node: ValueNode, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new GraphQLError((error as Error).message, { nodes: node });
  }
}
