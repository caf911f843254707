/** A JSON schema, as far as an OpenAPI 3.1 description made from zod uses them. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Described {
  readonly operationId?: string;
  readonly summary?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface OpenApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const HEAD = `/** What goes over the wire, written by \`npm run client:types\` from the service's own description. Not edited by hand. */\n`;

/** TypeScript types of every operation that answers JSON: `Operations[operationId]` has its `query`, `body` and `answer`. */
export function renderWireTypes({ paths, components }: OpenApiDescription): string {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const rendered = operations.flatMap((operation) => renderOperation(operation));
  const named = Object.entries(components?.schemas ?? {}).map(
    ([name, schema]) => `\nexport type ${name} = ${render(schema, '')};\n`,
  );
  return `${HEAD}${named.join('')}\nexport interface Operations {\n${rendered.join('\n')}}\n`;
}

function renderOperation({ operationId, summary, parameters, requestBody, responses }: Described): readonly string[] {
  const answer = answerOf(responses);
  if (operationId === undefined || answer === null) return [];
  const query = (parameters ?? []).filter((parameter) => parameter.in === 'query');
  const fields = query.map(({ name, required = false, description = '', schema }) =>
    renderField(name, { ...schema, description }, { isRequired: required, indent: '      ', also: alsoFor(name) }),
  );
  const body = requestBody?.content?.['application/json']?.schema;
  const parts = [
    `    query: {${fields.length === 0 ? '' : `\n${fields.join('')}    `}};\n`,
    `    body: ${body === undefined ? 'never' : render(body, '    ')};\n`,
    `    answer: ${render(answer, '    ')};\n`,
  ];
  return [`${comment(summary, '  ')}  ${operationId}: {\n${parts.join('')}  };\n`];
}

function answerOf(responses: Described['responses']): Schema | null {
  const status = ['200', '201'].find((code) => responses[code]?.content?.['application/json'] !== undefined);
  return status === undefined ? null : (responses[status]?.content?.['application/json']?.schema ?? null);
}

/** Times and lists have a form of their own in JavaScript, which the client turns into text. */
function alsoFor(name: string): string {
  return ['start', 'end', 'since', 'until'].includes(name) ? ' | Date' : '';
}

interface FieldStyle {
  readonly isRequired: boolean;
  readonly indent: string;
  readonly also?: string;
}

function renderField(name: string, schema: Schema, { isRequired, indent, also = '' }: FieldStyle): string {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  // A value that is left out may also be undefined: callers hand on what they were given.
  const optional = isRequired ? '' : ' | undefined';
  const type = `${render(schema, indent)}${also}${optional}`;
  return `${comment(schema.description, indent)}${indent}${key}${isRequired ? '' : '?'}: ${type};\n`;
}

function render(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) as string;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const any = schema.anyOf ?? schema.oneOf;
  if (any !== undefined) return union(any.map((one) => render(one, indent)));
  if (schema.allOf !== undefined) return schema.allOf.map((one) => `(${render(one, indent)})`).join(' & ');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types.length === 0 ? 'unknown' : union(types.map((type) => renderType(type, schema, indent)));
}

function renderType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array':
      return `Array<${schema.items === undefined ? 'unknown' : render(schema.items, indent)}>`;
    case 'object':
      return renderObject(schema, indent);
    default:
      return type;
  }
}

function renderObject({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const names = Object.entries(properties);
  if (names.length === 0) {
    return typeof additionalProperties === 'object'
      ? `Record<string, ${render(additionalProperties, indent)}>`
      : 'Record<string, unknown>';
  }
  const inner = `${indent}  `;
  const fields = names.map(([name, field]) =>
    renderField(name, field, { isRequired: required.includes(name), indent: inner }),
  );
  return `{\n${fields.join('')}${indent}}`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined || text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`;
}
