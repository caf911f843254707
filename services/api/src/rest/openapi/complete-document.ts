import { WIRE_CODES, type WireCode, wireStatus } from '@lending/errors';
import { EXAMPLE_ACCOUNT, EXAMPLE_RESERVE, EXAMPLE_SOL_BANK, EXAMPLE_WALLET } from '#tools/builder-examples.ts';
import { answerExample } from './answer-examples.ts';
import { nameSchemas } from './named-schemas.ts';
import { ANYWHERE, failureOf, headersOf, OF_BODIES, SHARED_PARTS } from './shared-parts.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

interface Operation extends Readonly<Record<string, unknown>> {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response>>;
  readonly deprecated?: boolean;
}

interface RequestBody {
  readonly content: Readonly<Record<string, { readonly schema: { readonly required?: readonly string[] } }>>;
  readonly required?: boolean;
}

interface Response extends Readonly<Record<string, unknown>> {
  readonly description?: string;
  readonly content?: Readonly<Record<string, object>>;
}

interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: object;
}

/** Responses that are the same wherever they are. */
const SHARED_RESPONSES = new Map(
  [...Map.groupBy([...ANYWHERE, ...OF_BODIES], wireStatus)].map(([status, codes]) => [
    codes.join(),
    { name: `Status${status}`, body: failureOf(codes) },
  ]),
);

const TAGS: readonly (readonly [prefix: RegExp, tag: string, description: string])[] = [
  [/^\/v1\/(banks|reserves|strategies)/, 'markets', 'Banks, the pools behind them, their history, and strategies'],
  [/^\/v1\/(wallet|account|health|activity)/, 'accounts', 'What a wallet holds, lends and owes, and what was done'],
  [/^\/v1\/(tx|verify)/, 'transactions', 'Unsigned transactions, simulated; and whether they landed'],
  [/^\/v1\/stream/, 'live', 'What happens, as it happens'],
  [/^\/v1\/conversations/, 'conversations', "A caller's threads of work"],
  [/^\/v1\/docs/, 'docs', 'The guide'],
  [/^/, 'service', 'How the service itself stands'],
];

/** Path parameters, as the demo market has them. */
const PATH_EXAMPLES: Readonly<Record<string, string>> = {
  bank: EXAMPLE_SOL_BANK,
  address: EXAMPLE_WALLET,
  account: EXAMPLE_ACCOUNT,
  reserve: EXAMPLE_RESERVE,
  slug: 'units',
};

/**
 * Adds what every operation has, and no definition repeats: names of records, headers, the errors of the way there, examples, and who may
 * ask. A failure's description names its codes.
 */
export function completeDocument(given: object): object {
  const { paths = {}, components, ...rest } = given as Document;
  const told = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, complete(path, method, operation)])),
  ]);
  const responses = Object.fromEntries([...SHARED_RESPONSES.values()].map(({ name, body }) => [name, body]));
  const { document, schemas } = nameSchemas({
    ...rest,
    tags: TAGS.map(([, name, description]) => ({ name, description })),
    security: [{}, { bearer: [] }],
    paths: Object.fromEntries(told),
    components: { ...components, ...SHARED_PARTS, responses },
  });
  const { headers, ...parts } = (document as Document).components as { readonly headers: object };
  const inUse = Object.entries(headers).filter(([name]) => JSON.stringify(document).includes(`headers/${name}"`));
  return {
    ...document,
    components: { ...parts, headers: Object.fromEntries(inUse), schemas: { ...SHARED_PARTS.schemas, ...schemas } },
  };
}

function complete(path: string, method: string, operation: Operation): object {
  const isRead = method === 'get' && !/^\/v1\/(stream|verify|conversations)/.test(path);
  const isRecorded = !/^\/v1\/(stream|conversations)/.test(path);
  return {
    ...operation,
    tags: [tagOf(path)],
    parameters: [
      ...(operation.parameters ?? []).map(completeParameter),
      ...(isRead ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
      ...(isRecorded ? [{ $ref: '#/components/parameters/ConversationId' }] : []),
    ],
    ...(operation.requestBody !== undefined && { requestBody: completeBody(operation.requestBody) }),
    responses: completeResponses(operation, isRead, isRecorded),
  };
}

/** A body of which nothing is required may be left out. */
function completeBody(body: RequestBody): RequestBody {
  const needed = Object.values(body.content).some(({ schema }) => (schema.required ?? []).length > 0);
  return { ...body, required: needed };
}

function tagOf(path: string): string {
  return TAGS.find(([prefix]) => prefix.test(path))?.[1] ?? 'service';
}

function completeParameter(parameter: Parameter): object {
  if (parameter.in === 'path') {
    const example = PATH_EXAMPLES[parameter.name];
    return { ...parameter, ...(example !== undefined && { example }) };
  }
  if (parameter.in !== 'query') return parameter;
  const schema = parameter.name === 'cursor' ? { ...parameter.schema, format: 'cursor' } : parameter.schema;
  // An empty one is none.
  return { ...parameter, schema, ...(parameter.required !== true && { allowEmptyValue: true }) };
}

function completeResponses(operation: Operation, isRead: boolean, isRecorded: boolean): object {
  const entries = Object.entries(operation.responses);
  const good = entries.filter(([status]) => status < '400');
  const failed = new Set([
    ...entries.filter(([status]) => status >= '400').flatMap(([, { description }]) => codesIn(description)),
    ...ANYWHERE,
    ...(operation.requestBody === undefined ? [] : OF_BODIES),
  ]);
  const byStatus = Map.groupBy(sorted(failed), wireStatus);
  return Object.fromEntries([
    ...good.map(([status, response]) => {
      const { content: _none, ...empty } = response;
      return [status, completeAnswer(operation, status === '204' ? empty : response, isRead, isRecorded)];
    }),
    ...(isRead ? [['304', NOT_MODIFIED]] : []),
    ...[...byStatus].map(([status, codes]) => [String(status), failure(codes)]),
  ]);
}

/** As the registry has them, so that an operation's own order changes nothing. */
function sorted(codes: ReadonlySet<WireCode>): WireCode[] {
  return (Object.keys(WIRE_CODES) as WireCode[]).filter((code) => codes.has(code));
}

function codesIn(description = ''): WireCode[] {
  const words: readonly string[] = description.match(/[A-Z_]{3,}/g) ?? [];
  return words.filter((word): word is WireCode => Object.hasOwn(WIRE_CODES, word));
}

function failure(codes: readonly WireCode[]): object {
  const shared = SHARED_RESPONSES.get(codes.join());
  return shared === undefined ? failureOf(codes) : { $ref: `#/components/responses/${shared.name}` };
}

const NOT_MODIFIED = {
  description: 'The answer at hand stands, but for its age',
  headers: headersOf('RequestId', 'RateLimitPolicy', 'RateLimit', 'ETag', 'CacheControl'),
};

function completeAnswer(operation: Operation, response: Response, isRead: boolean, isRecorded: boolean): object {
  const { content = {} } = response;
  const shown = Object.entries(content).map(([type, media]) => {
    const example = answerExample(operation.operationId ?? '', type);
    return [type, example === undefined ? media : { ...media, example }];
  });
  return {
    ...response,
    headers: headersOf(
      'RequestId',
      'RateLimitPolicy',
      'RateLimit',
      ...(isRead ? (['ETag', 'CacheControl'] as const) : []),
      ...(isRecorded ? (['ConversationId'] as const) : []),
      ...(Object.hasOwn(content, 'text/csv') ? (['NextCursor'] as const) : []),
      ...(operation.deprecated === true ? (['Deprecation', 'Sunset'] as const) : []),
    ),
    ...(shown.length > 0 && { content: Object.fromEntries(shown) }),
  };
}
