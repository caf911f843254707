/** A JSON Schema, as far as descriptions use it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly [bound: string]: unknown;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  /** RFC 8594, of an operation that ends. */
  readonly 'x-sunset'?: string;
}

/** As much of an OpenAPI document as is compared. */
export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * What a caller of one description may miss in another, a line each; empty where all that was added is additions. An operation may go once its
 * sunset is over.
 */
export function breaksBetween(before: Described, after: Described, nowMs = Date.now()): string[] {
  return Object.entries(before.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, was]) => {
      const at = `${method.toUpperCase()} ${path}`;
      const is = after.paths[path]?.[method];
      if (is !== undefined) return operationBreaks(was, is, at, { before, after });
      const sunset = Date.parse(was['x-sunset'] ?? '');
      return sunset <= nowMs ? [] : [`${at} is gone`];
    }),
  );
}

/** The documents that references point into. */
interface Documents {
  readonly before: Described;
  readonly after: Described;
}

function operationBreaks(was: Operation, is: Operation, at: string, documents: Documents): string[] {
  const [old, own] = [parametersOf(was, documents.before), parametersOf(is, documents.after)];
  const fresh = [...own].filter(([key, { required }]) => !old.has(key) && required === true);
  // Only of what succeeds: errors have one shape, and codes may be added.
  const good = Object.entries(was.responses).filter(([status]) => status < '300');
  return [
    ...fresh.map(([key]) => `${at} needs ${key}`),
    ...[...old].flatMap(([key, parameter]) => {
      const now = own.get(key);
      if (now === undefined) return [`${at} takes no ${key}`];
      const isNeeded = now.required === true && parameter.required !== true;
      return [
        ...(isNeeded ? [`${at} needs ${key}`] : []),
        ...schemaBreaks('input', parameter.schema, now.schema, `${at} ${key}`, documents),
      ];
    }),
    ...contentBreaks('input', was.requestBody?.content, is.requestBody?.content, [at, 'body'], documents),
    ...good.flatMap(([status, { content }]) =>
      contentBreaks('answer', content, is.responses[status]?.content, [at, status], documents),
    ),
  ];
}

function parametersOf({ parameters = [] }: Operation, { components }: Described): ReadonlyMap<string, Parameter> {
  return new Map(
    parameters.map((given) => {
      const shared = given.$ref?.split('/').at(-1);
      const parameter = shared === undefined ? given : (components?.parameters?.[shared] as Parameter);
      return [`${parameter.in} ${parameter.name}`, parameter];
    }),
  );
}

type Side = 'input' | 'answer';

function contentBreaks(
  side: Side,
  was: Content = {},
  is: Content = {},
  [at, part]: readonly [string, string],
  documents: Documents,
): string[] {
  return Object.entries(was).flatMap(([type, { schema }]) => {
    const now = is[type];
    if (now === undefined) return [`${at} has no ${part} as ${type}`];
    if (schema === undefined || now.schema === undefined) return [];
    return schemaBreaks(side, schema, now.schema, `${at} ${part}`, documents);
  });
}

/** Of an input what was taken and is not any more; of an answer what may come now and did not before, or comes no more. */
function schemaBreaks(side: Side, was: Schema, is: Schema, at: string, documents: Documents): string[] {
  const [old, now] = [follow(was, documents.before), follow(is, documents.after)];
  const [oldForms, newForms] = [formsOf(old), formsOf(now)];
  // Each form that was taken has to be one that is taken still, and each that may come one that came before.
  const tried =
    side === 'input'
      ? oldForms.map((form) => newForms.map((other) => formBreaks(side, form, other, at, documents)))
      : newForms.map((form) => oldForms.map((other) => formBreaks(side, other, form, at, documents)));
  return tried.flatMap((found) => found.find((breaks) => breaks.length === 0) ?? found[0] ?? []);
}

function formBreaks(side: Side, was: Schema, is: Schema, at: string, documents: Documents): string[] {
  const [old, now] = [follow(was, documents.before), follow(is, documents.after)];
  if (old !== was || now !== is) return schemaBreaks(side, old, now, at, documents);
  // What is given must be taken: values of the old by the new, and answers of the new by who knew the old.
  const [given, taken] = side === 'input' ? [old, now] : [now, old];
  const isThere = (name: string) => side === 'input' || now.properties?.[name] !== undefined;
  const needed = (taken.required ?? []).filter((name) => !(given.required ?? []).includes(name) && isThere(name));
  return [
    ...typesOf(given)
      .filter((type) => !takesType(taken, type))
      .map((type) => (side === 'input' ? `${at} takes no ${type}` : `${at} may be ${type}`)),
    ...(side === 'input' ? valueBreaks(old, now, at) : []),
    ...needed.map((name) => (side === 'input' ? `${at} needs ${name}` : `${at}.${name} may be missing`)),
    ...Object.entries(old.properties ?? {}).flatMap(([name, field]) => {
      const own = now.properties?.[name];
      return own === undefined ? [`${at}.${name} is gone`] : schemaBreaks(side, field, own, `${at}.${name}`, documents);
    }),
    ...(old.items !== undefined && now.items !== undefined
      ? schemaBreaks(side, old.items, now.items, `${at}[]`, documents)
      : []),
  ];
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const;
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const;

/** Of values of one type: an answer may have others. */
function valueBreaks(old: Schema, now: Schema, at: string): string[] {
  const words = (old.enum ?? []).filter((word) => now.enum !== undefined && !now.enum.includes(word));
  const tighter = [
    ...LOWER.filter((bound) => Number(now[bound] ?? -Infinity) > Number(old[bound] ?? -Infinity)),
    ...UPPER.filter((bound) => Number(now[bound] ?? Infinity) < Number(old[bound] ?? Infinity)),
  ];
  return [
    ...words.map((word) => `${at} takes no ${JSON.stringify(word)}`),
    ...(old.enum === undefined && now.enum !== undefined ? [`${at} takes listed values only`] : []),
    ...(now.pattern !== undefined && !takesPattern(now.pattern, old.pattern) ? [`${at} has another pattern`] : []),
    ...tighter.map((bound) => `${at} has a tighter ${bound}`),
  ];
}

/** Words in any case, as `anyCase` lists them: each letter in brackets, twice. */
const WORDS = /^\^\(\?:((?:\[\w\w\]|\w|\|)+)\)\$$/;

/** The same pattern, or a list of words that has every one of the other list. */
function takesPattern(now: string, old = ''): boolean {
  const words = WORDS.exec(now)?.[1]?.split('|') ?? [];
  const needed = WORDS.exec(old)?.[1]?.split('|') ?? [old];
  return now === old || needed.every((word) => words.includes(word));
}

function follow(schema: Schema, { components }: Described): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : ((components?.schemas?.[name] ?? {}) as Schema);
}

function formsOf(schema: Schema): readonly Schema[] {
  return schema.anyOf ?? schema.oneOf ?? [schema];
}

function typesOf({ type, enum: words }: Schema): readonly string[] {
  if (type === undefined) return (words ?? []).map((word) => (word === null ? 'null' : typeof word));
  return typeof type === 'string' ? [type] : type;
}

/** No type at all is any; a whole number is a number. */
function takesType(schema: Schema, type: string): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
}
