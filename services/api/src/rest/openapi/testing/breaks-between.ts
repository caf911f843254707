import { inputBreaks, outputBreaks, type Schema } from './schema-breaks.ts';

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
      if (is !== undefined) return operationBreaks({ was, is, at, before, after });
      const sunset = Date.parse(was['x-sunset'] ?? '');
      return sunset <= nowMs ? [] : [`${at} is gone`];
    }),
  );
}

interface Pair {
  readonly was: Operation;
  readonly is: Operation;
  readonly at: string;
  readonly before: Described;
  readonly after: Described;
}

function operationBreaks(pair: Pair): string[] {
  return [...parameterBreaks(pair), ...bodyBreaks(pair), ...answerBreaks(pair)];
}

function parameterBreaks({ was, is, at, before, after }: Pair): string[] {
  const [old, own] = [parametersOf(was, before), parametersOf(is, after)];
  const fresh = [...own].filter(([key, { required }]) => !old.has(key) && required === true);
  return [
    ...fresh.map(([key]) => `${at} needs ${key}`),
    ...[...old].flatMap(([key, parameter]) => {
      const now = own.get(key);
      if (now === undefined) return [`${at} takes no ${key}`];
      const isNeeded = now.required === true && parameter.required !== true;
      return [
        ...(isNeeded ? [`${at} needs ${key}`] : []),
        ...inputBreaks(parameter.schema, now.schema, `${at} ${key}`, { before, after }),
      ];
    }),
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

function bodyBreaks({ was, is, at, before, after }: Pair): string[] {
  return Object.entries(was.requestBody?.content ?? {}).flatMap(([type, { schema }]) => {
    const now = is.requestBody?.content[type]?.schema;
    if (schema === undefined) return [];
    return now === undefined ? [`${at} takes no ${type}`] : inputBreaks(schema, now, `${at} body`, { before, after });
  });
}

/** Only of what succeeds: errors have one shape, and codes may be added. */
function answerBreaks({ was, is, at, before, after }: Pair): string[] {
  const good = Object.entries(was.responses).filter(([status]) => status < '300');
  return good.flatMap(([status, { content = {} }]) =>
    Object.entries(content).flatMap(([type, { schema }]) => {
      const now = is.responses[status]?.content?.[type];
      if (now === undefined) return [`${at} answers no ${status} ${type}`];
      if (schema === undefined || now.schema === undefined) return [];
      return outputBreaks(schema, now.schema, `${at} ${status}`, { before, after });
    }),
  );
}
