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

/** The documents that references point into. */
export interface Documents {
  readonly before: { readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
  readonly after: { readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const;
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const;

/** What was taken and is not any more. */
export function inputBreaks(was: Schema, is: Schema, at: string, documents: Documents): string[] {
  const [old, now] = resolved(was, is, documents);
  const alternatives = formsOf(now);
  // Whatever was one of several forms has to be one of the forms still.
  return formsOf(old).flatMap((form) => {
    const found = alternatives.map((each) => formInputBreaks(form, each, at, documents));
    return found.find((breaks) => breaks.length === 0) ?? found[0] ?? [`${at} takes nothing`];
  });
}

function formInputBreaks(was: Schema, is: Schema, at: string, documents: Documents): string[] {
  const [old, now] = resolved(was, is, documents);
  if (old.anyOf !== undefined || now.anyOf !== undefined) {
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    if (old !== was || now !== is) return inputBreaks(old, now, at, documents);
  }
  const types = typesOf(old).filter((type) => !takesType(now, type));
  const words = (old.enum ?? []).filter((word) => now.enum !== undefined && !now.enum.includes(word));
  const newlyListed = old.enum === undefined && now.enum !== undefined;
  const isOtherPattern = now.pattern !== undefined && !takesPattern(now.pattern, old.pattern);
  const tighter = [
    ...LOWER.filter((bound) => Number(now[bound] ?? -Infinity) > Number(old[bound] ?? -Infinity)),
    ...UPPER.filter((bound) => Number(now[bound] ?? Infinity) < Number(old[bound] ?? Infinity)),
  ];
  const needed = (now.required ?? []).filter((name) => !(old.required ?? []).includes(name));
  return [
    ...types.map((type) => `${at} takes no ${type}`),
    ...words.map((word) => `${at} takes no ${JSON.stringify(word)}`),
    ...(newlyListed ? [`${at} takes listed values only`] : []),
    ...(isOtherPattern ? [`${at} has another pattern`] : []),
    ...tighter.map((bound) => `${at} has a tighter ${bound}`),
    ...needed.map((name) => `${at} needs ${name}`),
    ...Object.entries(old.properties ?? {}).flatMap(([name, field]) => {
      const own = now.properties?.[name];
      return own === undefined ? [`${at} takes no ${name}`] : inputBreaks(field, own, `${at}.${name}`, documents);
    }),
    ...(old.items !== undefined && now.items !== undefined
      ? inputBreaks(old.items, now.items, `${at}[]`, documents)
      : []),
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

/** What was answered and is not any more, or may be of another type. */
export function outputBreaks(was: Schema, is: Schema, at: string, documents: Documents): string[] {
  const [old, now] = resolved(was, is, documents);
  const known = formsOf(old);
  return formsOf(now).flatMap((form) => {
    const found = known.map((each) => formOutputBreaks(each, form, at, documents));
    return found.find((breaks) => breaks.length === 0) ?? found[0] ?? [];
  });
}

function formOutputBreaks(was: Schema, is: Schema, at: string, documents: Documents): string[] {
  const [old, now] = resolved(was, is, documents);
  if (old !== was || now !== is) return outputBreaks(old, now, at, documents);
  const types = typesOf(old).length === 0 ? [] : typesOf(now).filter((type) => !takesType(old, type));
  const optional = (old.required ?? []).filter((name) => !(now.required ?? []).includes(name));
  return [
    ...types.map((type) => `${at} may be ${type}`),
    ...optional.filter((name) => now.properties?.[name] !== undefined).map((name) => `${at}.${name} may be missing`),
    ...Object.entries(old.properties ?? {}).flatMap(([name, field]) => {
      const own = now.properties?.[name];
      return own === undefined ? [`${at}.${name} is gone`] : outputBreaks(field, own, `${at}.${name}`, documents);
    }),
    ...(old.items !== undefined && now.items !== undefined
      ? outputBreaks(old.items, now.items, `${at}[]`, documents)
      : []),
  ];
}

function resolved(was: Schema, is: Schema, { before, after }: Documents): readonly [Schema, Schema] {
  return [follow(was, before), follow(is, after)];
}

function follow(schema: Schema, { components }: Documents['before']): Schema {
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
