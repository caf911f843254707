import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLNullableType,
  GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import { z } from 'zod';
import type { GraphqlContext } from '../context.ts';
import { toGraphqlName, toTypeName } from './field-name.ts';
import { wordsFor } from './field-words.ts';
import { numberScalarOf, textScalarOf } from './scalar-of.ts';

// biome-ignore lint/suspicious/noExplicitAny: graphql-js types the source of a field by hand; ours is the record.
export type Fields<S = any> = GraphQLFieldConfigMap<S, GraphqlContext>;

/** Makes GraphQL types out of the zod records, so that both doors have the same fields, words and units. */
export interface RecordTypes {
  /**
   * The type of a record, made once: a second call, or a field of another record with the same shape, gets the same one. Objects and
   * enums inside are named after the way to them (`BankRateCurve`), unless they were named before.
   */
  object(
    name: string,
    record: z.ZodObject,
    description?: string,
    /** How a field is read off a source that is not the record itself. */
    read?: ReadField,
  ): GraphQLObjectType;
  /** Names an enum by its values, before a record uses it. A field with the same values then has this type. */
  enum(name: string, values: readonly string[], description?: string): GraphQLEnumType;
  /** Has records whose enum has these values, such as a part of it, use an enum that was named. */
  useEnum(type: GraphQLEnumType, values: readonly string[]): void;
  /** Adds fields to a type by its name, such as relations; it need not be made yet. */
  extend(typeName: string, fields: () => Fields): void;
  /** A named type that was made. */
  named(typeName: string): GraphQLObjectType;
}

// biome-ignore lint/suspicious/noExplicitAny: as the source of `Fields`.
type ReadField = (source: any, key: string) => unknown;

const fromRecord: ReadField = (record, key) => record[key];

export function createRecordTypes(): RecordTypes {
  const byShape = new Map<unknown, GraphQLObjectType>();
  const byName = new Map<string, GraphQLObjectType>();
  const enums = new Map<string, GraphQLEnumType>();
  const extensions = new Map<string, (() => Fields)[]>();
  /** Names of fields of any record, as records spell them. */
  const names = new Set<string>();

  function object(
    name: string,
    record: z.ZodObject,
    description = record.description,
    read: ReadField = fromRecord,
  ): GraphQLObjectType {
    const known = byShape.get(record.shape);
    if (known !== undefined) return known;
    if (byName.has(name)) throw new TypeError(`two records are called ${name}`);
    for (const key of Object.keys(record.shape)) names.add(key);
    const fields = Object.entries(record.shape).map(
      ([key, schema]) =>
        [toGraphqlName(key), fieldOf({ typeName: name, key, schema: schema as z.ZodType, read })] as const,
    );
    const type = new GraphQLObjectType({
      name,
      description: description ?? null,
      fields: () => ({ ...Object.fromEntries(fields), ...added(name) }),
    });
    byShape.set(record.shape, type);
    byName.set(name, type);
    return type;
  }

  function added(typeName: string): Fields {
    return Object.assign({}, ...(extensions.get(typeName) ?? []).map((fields) => fields()));
  }

  function fieldOf({ typeName, key, schema, read }: RecordField): GraphQLFieldConfig<unknown, GraphqlContext> {
    return {
      type: typeOf(schema, { owner: typeName, key, name: `${typeName}${toTypeName(key)}` }),
      // Told when it is asked for: it may name fields of records that are made later.
      get description() {
        return worded(schema, names) ?? wordsFor(typeName, key);
      },
      resolve: (source) => read(source, key),
    };
  }

  function enumOf(name: string, values: readonly string[], description?: string): GraphQLEnumType {
    const id = idOf(values);
    const known = enums.get(id);
    if (known !== undefined) return known;
    const type = new GraphQLEnumType({
      name,
      description: description ?? null,
      values: Object.fromEntries(values.map((value) => [toEnumName(value), { value }])),
    });
    enums.set(id, type);
    return type;
  }

  function typeOf(schema: z.ZodType, place: Place): GraphQLOutputType {
    if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
      return nullableTypeOf(schema.unwrap() as z.ZodType, place);
    }
    return new GraphQLNonNull(nullableTypeOf(schema, place));
  }

  function nullableTypeOf(schema: z.ZodType, place: Place): GraphQLNullableType & GraphQLOutputType {
    const { owner, key, name } = place;
    if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
      return nullableTypeOf(schema.unwrap() as z.ZodType, place);
    }
    if (schema instanceof z.ZodArray) return new GraphQLList(typeOf(schema.element as z.ZodType, place));
    if (schema instanceof z.ZodObject) return object(name, schema);
    if (schema instanceof z.ZodEnum) return enumOf(name, schema.options as string[]);
    if (schema instanceof z.ZodLiteral) return enumOf(name, [...schema.values].map(String));
    if (schema instanceof z.ZodNumber) return numberScalarOf(key, schema.isInt);
    if (schema instanceof z.ZodString) return textScalarOf(owner, key);
    if (schema instanceof z.ZodBoolean) return GraphQLBoolean;
    throw new TypeError(`${name} is a ${schema.type}, of which GraphQL has no type`);
  }

  return {
    object,
    enum: enumOf,
    useEnum: (type, values) => void enums.set(idOf(values), type),
    extend(typeName, fields) {
      extensions.set(typeName, [...(extensions.get(typeName) ?? []), fields]);
    },
    named(typeName) {
      const type = byName.get(typeName);
      if (type === undefined) throw new TypeError(`no record is called ${typeName}`);
      return type;
    },
  };
}

interface RecordField {
  readonly typeName: string;
  readonly key: string;
  readonly schema: z.ZodType;
  readonly read: ReadField;
}

interface Place {
  /** The type that has the field. */
  readonly owner: string;
  /** The record's field, which tells what a text or number means. */
  readonly key: string;
  /** What a type found here is called. */
  readonly name: string;
}

/** A value of an enum is spelled as at the other doors; one that begins with a digit gets an underscore, for it would be no name. */
export function toEnumName(value: string): string {
  return /^\d/.test(value) ? `_${value}` : value;
}

function idOf(values: readonly string[]): string {
  return [...values].sort().join(' ');
}

/** A description as this door says it: names of fields in its own spelling, and nothing of what other doors leave out. */
function worded(schema: z.ZodType, names: ReadonlySet<string>): string | null {
  const told = descriptionOf(schema);
  const text = told?.replace(/^Detailed (replies )?only[.:;]? *(.?)/, (_match, _replies, next) => next.toUpperCase());
  if (text === undefined || text === '') return null;
  return text.replaceAll(/[a-z0-9]+(_[a-z0-9]+)+/g, (word) => (names.has(word) ? toGraphqlName(word) : word));
}

/** The field's own words, or those of what it may be null of. */
function descriptionOf(schema: z.ZodType): string | undefined {
  if (schema.description !== undefined) return schema.description;
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return descriptionOf(schema.unwrap() as z.ZodType);
  return undefined;
}
