import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getNullableType,
  getOperationAST,
  getVariableValues,
  isCompositeType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { costOf, LIST_COST } from './field-cost.ts';
import { introspectionLengths } from './introspection-length.ts';

export interface CostQuestion {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  /** As the caller sent them. */
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface QueryCost {
  /** Values that the answer may hold, with what finding them takes. */
  readonly cost: number;
  /** Where most of it is, from the root down. */
  readonly largest: readonly string[];
}

/**
 * What a query may cost at most, before anything is read: leaves, times the lengths of the lists they stand in, plus what finding them
 * takes. A page counts as long as `first` says. What one directive or another leaves out is counted, and a field asked twice twice. The
 * schema's description of itself counts too: asked for under many names it keeps a process busy for seconds.
 * Null where the variables are wrong: then nothing is executed either.
 */
export function computeQueryCost(question: CostQuestion): QueryCost | null {
  const { schema, document } = question;
  const operation = getOperationAST(document, question.operationName);
  if (operation == null) return null;
  const root = schema.getRootType(operation.operation);
  const variables = getVariableValues(schema, operation.variableDefinitions ?? [], { ...question.variables });
  if (root == null || variables.coerced === undefined) return null;
  const counter = new CostCounter(schema, document, variables.coerced);
  const { cost, largest } = counter.count(operation.selectionSet, root, undefined);
  return { cost: Math.ceil(cost), largest };
}

const NOTHING: QueryCost = { cost: 0, largest: [] };

/** What every query may ask of the schema itself. */
const META_FIELDS = new Map([SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]));

class CostCounter {
  readonly #schema: GraphQLSchema;
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** A fragment is counted once for each length it stands under, however often it is spread: spreads in spreads double each time. */
  readonly #counted = new Map<string, QueryCost>();

  constructor(schema: GraphQLSchema, { definitions }: DocumentNode, variables: Readonly<Record<string, unknown>>) {
    this.#schema = schema;
    this.#variables = variables;
    const fragments = definitions.filter((node: ASTNode) => node.kind === Kind.FRAGMENT_DEFINITION);
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  /** `length` is that of lists directly in the selection that say none of their own: the edges of a connection. */
  count({ selections }: SelectionSetNode, type: GraphQLCompositeType, length: number | undefined): QueryCost {
    let cost = 0;
    let largest = NOTHING;
    for (const selection of selections) {
      const part =
        selection.kind === Kind.FIELD
          ? this.#countField(selection, type, length)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? this.count(selection.selectionSet, this.#conditionOf(selection.typeCondition?.name.value, type), length)
            : this.#countSpread(selection.name.value, type, length);
      cost += part.cost;
      if (part.cost > largest.cost) largest = part;
    }
    return { cost, largest: largest.largest };
  }

  #countSpread(name: string, type: GraphQLCompositeType, length: number | undefined): QueryCost {
    const fragment = this.#fragments.get(name);
    if (fragment === undefined) return NOTHING;
    const key = `${name} ${length}`;
    const known = this.#counted.get(key);
    if (known !== undefined) return known;
    // A fragment inside itself is refused elsewhere; here it must only end.
    this.#counted.set(key, NOTHING);
    const condition = this.#conditionOf(fragment.typeCondition.name.value, type);
    const counted = this.count(fragment.selectionSet, condition, length);
    this.#counted.set(key, counted);
    return counted;
  }

  #countField(node: FieldNode, parent: GraphQLCompositeType, length: number | undefined): QueryCost {
    const name = node.name.value;
    const largest = [node.alias?.value ?? name];
    const fields = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields() : {};
    const field = META_FIELDS.get(name) ?? fields[name];
    if (field === undefined) return { cost: 1, largest };
    const said = costOf(field);
    const isList = isListType(getNullableType(field.type));
    const isMeta = isIntrospectionType(parent);
    const told = isMeta
      ? introspectionLengths(this.#schema).get(`${parent.name}.${name}`)
      : said?.times?.(getArgumentValues(field, node, this.#variables));
    const times = Math.max(0, told ?? (isList ? (length ?? LIST_COST.times?.({}) ?? 1) : 1));
    const own = said?.own ?? 0;
    const type = getNamedType(field.type);
    if (!isCompositeType(type) || node.selectionSet === undefined) return { cost: own + (isList ? times : 1), largest };
    const inside = this.count(node.selectionSet, type, isList ? undefined : told);
    return { cost: own + inside.cost * (isList || isMeta ? times : 1), largest: [...largest, ...inside.largest] };
  }

  #conditionOf(name: string | undefined, otherwise: GraphQLCompositeType): GraphQLCompositeType {
    const type = name === undefined ? undefined : this.#schema.getType(name);
    return isCompositeType(type) ? type : otherwise;
  }
}
