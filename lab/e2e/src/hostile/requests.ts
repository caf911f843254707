import type { Dice } from '../builders/dice.ts';
import type { Aim } from '../builders/random.ts';
import { type HostileRequest, type Parts, requestBytes } from './exchange.ts';
import { deepJson, mutilate, oddJson, oddText, oddWord } from './odd-values.ts';
import { SOCKET_SHAPES } from './socket-shapes.ts';

/** What requests are drawn from, and how one is sent. */
export interface HostileScene {
  readonly dice: Dice;
  readonly operations: readonly DescribedOperation[];
  readonly tools: readonly string[];
  /** Addresses that there are, and words that mean something. */
  readonly known: readonly string[];
  send(request: HostileRequest): Promise<void>;
}

/** Everything that takes bytes from strangers, by how often it gets some. */
export const HOSTILE_AIMS: readonly Aim<HostileScene>[] = [
  aimAt('rest', 38, restRequest),
  aimAt('mcp', 26, mcpRequest),
  aimAt('graphql', 14, graphqlRequest),
  aimAt('stream', 6, streamRequest),
  aimAt('pages', 6, pageRequest),
  // What is half stays half, and what is whole is answered.
  {
    name: 'socket',
    weight: 10,
    play: ({ dice, send }) => send({ chunks: dice.pick(SOCKET_SHAPES)(dice), isCut: true }),
  },
];

function aimAt(name: string, weight: number, draw: (scene: HostileScene) => Parts): Aim<HostileScene> {
  return {
    name,
    weight,
    play(scene) {
      const parts = draw(scene);
      // Node hangs up on a client that wants a tunnel.
      return scene.send({ chunks: [requestBytes(parts)], isCut: parts.method === 'CONNECT' });
    },
  };
}

/** What REST has, out of its own description. */
export interface DescribedOperation {
  readonly method: string;
  /** With `{name}` for its parameters. */
  readonly path: string;
  readonly query: readonly string[];
  /** Names of the body's fields, and a body that is taken. */
  readonly fields: readonly string[];
  readonly example: Readonly<Record<string, unknown>> | null;
}

interface DescribedRoute {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json'?: {
        readonly schema?: { readonly properties?: object; readonly examples?: readonly Record<string, unknown>[] };
        readonly examples?: Readonly<Record<string, { readonly value: Record<string, unknown> }>>;
      };
    };
  };
}

export function operationsOf({
  paths,
}: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedRoute>>>>;
}): readonly DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const json = requestBody?.content['application/json'];
      return {
        method: method.toUpperCase(),
        path,
        query: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
        fields: Object.keys(json?.schema?.properties ?? {}),
        example: json?.schema?.examples?.[0] ?? Object.values(json?.examples ?? {})[0]?.value ?? null,
      };
    }),
  );
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());
const quote = (text: string): string => JSON.stringify(text);

const ODD_METHODS = ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'get', 'GET\t', 'CONNECT'];
const JSON_TYPE = 'application/json';
const ODD_TYPES = [
  `${JSON_TYPE}; charset=utf-16`,
  `${JSON_TYPE}; charset="`,
  'multipart/form-data; boundary=x',
  'a'.repeat(3_000),
  '',
  ...words('text/plain multipart/form-data application/x-www-form-urlencoded application/xml application/graphql */*'),
];

/** A request of REST with something wrong in its path, query, body or headers; some have only one thing wrong, others hardly anything right. */
function restRequest({ dice, operations, known }: HostileScene): Parts {
  const operation = dice.pick(operations);
  const method = dice.chance(8) ? dice.pick([...ODD_METHODS, 'POST', 'GET']) : operation.method;
  const path = restPath(dice, operation, known);
  const hasBody = method === 'POST' || dice.chance(5);
  const headers = [
    ...dice.maybe(30, () => oddHeader(dice)),
    ...(hasBody ? dice.maybe(97, () => contentType(dice)) : []),
  ];
  return { method, path, headers, ...(hasBody && { body: restBody(dice, operation, known) }) };
}

function contentType(dice: Dice): Header {
  return ['content-type', dice.chance(88) ? JSON_TYPE : dice.pick(ODD_TYPES)];
}

function restPath(dice: Dice, { path, query }: DescribedOperation, known: readonly string[]): string {
  const filled = path.replaceAll(/\{\w+\}/g, () => {
    const value = dice.chance(40) ? dice.pick(known) : oddText(dice);
    return dice.chance(90) ? encode(value) : value.replaceAll(/[\r\n ]/g, '');
  });
  const named = dice.some(query, dice.below(4));
  const pairs = named.map((name) => [name, dice.chance(20) ? dice.pick(known) : oddText(dice)] as const);
  pairs.push(...dice.maybe(15, () => [oddText(dice), oddText(dice)] as const));
  pairs.push(...(dice.chance(5) ? pairs.slice(0, 1) : []));
  const text = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const odd = dice.chance(4) ? dice.pick(words('? &&& []=1&[a]=2 a[b][c]=1 % %zz %c0%ae #x')) : '';
  return `${filled}${text === '' && odd === '' ? '' : '?'}${text}${odd}`;
}

function restBody(dice: Dice, { example, fields }: DescribedOperation, known: readonly string[]): string | Uint8Array {
  const good = JSON.stringify(example ?? {});
  switch (dice.below(8)) {
    case 0:
      return oddJson(dice);
    case 1:
      return mutilate(dice, Buffer.from(good));
    case 2:
      return `${good}${good}`;
    case 3: {
      const long = [`[${'['.repeat(50_000)}`, ' '.repeat(300_000), `"${'a'.repeat(270_000)}"`];
      return dice.pick([deepJson(20_000), ...long, '\ufeff{}']);
    }
    default: {
      const members = Object.entries(example ?? {}).map(([name, value]) => [name, JSON.stringify(value)] as const);
      const odd = dice
        .some([...fields, ...words('extra __proto__ api_key constructor')], dice.between(1, 3))
        .map((name) => [name, dice.chance(30) ? quote(dice.pick(known)) : oddJson(dice)] as const);
      const merged = dice.chance(10) ? [...members, ...odd] : [...new Map([...members, ...odd])];
      return `{${merged.map(([name, value]) => `${quote(name)}:${value}`).join(',')}}`;
    }
  }
}

type Header = readonly [name: string, value: string];

/** Headers that mean something to proxies, caches, tokens, keys, tracing. */
const HEADER_NAMES = words(`
  authorization x-forwarded-for x-forwarded-host x-request-id x-conversation-id x-aggregator1-api-key x-jupiter-api-key
  x-aggregator2-api-key if-none-match accept accept-encoding content-encoding expect range origin cookie host upgrade te
  traceparent access-control-request-method x-http-method-override last-event-id
`);
const HEADER_VALUES = [
  'Bearer',
  'Bearer x',
  `Bearer ${'a'.repeat(5_000)}`,
  'Basic YTpi',
  '127.0.0.1, 10.0.0.1',
  'gzip, br;q=0',
  'W/"1", *',
  'bytes=0-99999999999',
  'https://evil.example',
  '100-continue',
  'h2c',
  'a'.repeat(7_000),
];

function oddHeader(dice: Dice): Header {
  return [dice.pick(HEADER_NAMES), dice.pick([...HEADER_VALUES, oddWord(dice)])];
}

const MCP_METHODS = [
  ...words(`
    initialize notifications/initialized notifications/cancelled ping tools/list tools/call resources/list resources/read
    resources/templates/list resources/subscribe prompts/list prompts/get completion/complete logging/setLevel
    sampling/createMessage roots/list server/discover subscriptions/listen rpc.discover __proto__ constructor
  `),
  '',
];
const REVISIONS = [
  ...words('2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28 1999-01-01 9'),
  '',
  'x'.repeat(500),
];
const BOTH_TYPES = 'application/json, text/event-stream';
const HOSTS = ['evil.example', 'localhost.evil.example', '169.254.169.254', ''];

/** A message to `/mcp` that is no JSON, no JSON-RPC, of no version, of no method, or wants of a tool what it has not. */
function mcpRequest(scene: HostileScene): Parts {
  const { dice, tools } = scene;
  const method = dice.chance(92) ? 'POST' : dice.pick(['GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD']);
  const headers: Header[] = [
    contentType(dice),
    ['accept', dice.chance(90) ? BOTH_TYPES : dice.pick(['*/*', '', 'text/event-stream', 'image/png'])],
    ...dice.maybe(60, (): Header => ['mcp-protocol-version', dice.pick(REVISIONS)]),
    ...dice.maybe(20, (): Header => ['mcp-method', dice.pick(MCP_METHODS).replace(/^$/, 'x')]),
    ...dice.maybe(20, (): Header => ['mcp-name', dice.pick(tools)]),
    ...dice.maybe(15, (): Header => ['mcp-session-id', oddWord(dice)]),
    ...dice.maybe(10, () => oddHeader(dice)),
    ...dice.maybe(4, (): Header => ['host', dice.pick(HOSTS)]),
  ];
  const path = dice.chance(97) ? '/mcp' : dice.pick(words('/mcp/ /mcp/x /mcp?x=1 /MCP /mcp%00'));
  return { method, path, headers, ...(/^P/.test(method) ? { body: mcpBody(scene) } : {}) };
}

function mcpBody(scene: HostileScene): string | Uint8Array {
  const { dice } = scene;
  switch (dice.below(12)) {
    case 0:
      return oddJson(dice);
    case 1:
      return mutilate(dice, Buffer.from(mcpMessage(scene)));
    case 2:
      return dice.pick(['', '[', '[]', 'null', deepJson(20_000), '[]'.repeat(1_000), ' '.repeat(300_000), '\ufeff{}']);
    case 3:
      return `[${Array(dice.pick([1, 2, 50, 500]))
        .fill('{"jsonrpc":"2.0","method":"ping","id":1}')
        .join(',')}]`;
    case 4:
      return `[${Array.from({ length: dice.between(1, 4) }, () => mcpMessage(scene)).join(',')}]`;
    default:
      return mcpMessage(scene);
  }
}

function mcpMessage(scene: HostileScene): string {
  const { dice } = scene;
  const method = dice.chance(60) ? 'tools/call' : dice.pick(MCP_METHODS);
  const id = dice.pick(['1', '"a"', 'null', '-1', '1.5', '{}', '9007199254740993', '"\\u0000"']);
  const members = [
    `"jsonrpc":${dice.chance(93) ? '"2.0"' : oddJson(dice)}`,
    `"method":${quote(method)}`,
    ...dice.maybe(90, () => `"id":${id}`),
    ...dice.maybe(92, () => `"params":${mcpParams(scene, method)}`),
    ...dice.maybe(5, () => `${quote(oddText(dice))}:${oddJson(dice)}`),
  ];
  return `{${members.join(',')}}`;
}

const URIS = ['svc://units', 'svc://errors/', 'svc://docs/../../etc/passwd', 'file:///etc/passwd'];

function mcpParams(scene: HostileScene, method: string): string {
  const { dice, tools } = scene;
  if (dice.chance(15)) return oddJson(dice);
  const odd = () => oddJson(dice);
  const name = (known: readonly string[]) => quote(dice.pick([...known, oddText(dice)]));
  const progress = () => (dice.chance(50) ? `{"progressToken":${odd()}}` : odd());
  const meta = dice.chance(20) ? `,"_meta":${progress()}` : '';
  switch (method) {
    case 'tools/call':
      return `{"name":${dice.chance(92) ? quote(dice.pick(tools)) : name([])},"arguments":${mcpArguments(scene)}${meta}}`;
    case 'resources/read':
      return `{"uri":${name(URIS)}${meta}}`;
    case 'prompts/get':
      return `{"name":${name(['find_strategy', 'unwind'])},"arguments":${odd()}${meta}}`;
    case 'completion/complete':
      return `{"ref":{"type":"ref/prompt","name":${name([])}},"argument":{"name":"bank","value":${odd()}}${meta}}`;
    case 'initialize': {
      const client = `{"name":${odd()},"version":"1"}`;
      return `{"protocolVersion":${quote(dice.pick(REVISIONS))},"capabilities":${odd()},"clientInfo":${client}${meta}}`;
    }
    default:
      return odd();
  }
}

const ARGUMENTS = words(`
  address authority account bank deposit_bank borrow_bank amount leverage repay_all limit cursor fields query slug policy
  priority_fee transaction_version idempotency_key response_format api_key __proto__
`);

function mcpArguments({ dice, known }: HostileScene): string {
  if (dice.chance(10)) return oddJson(dice);
  const members = dice
    .some(ARGUMENTS, dice.below(6))
    .map((name) => `${quote(name)}:${dice.chance(50) ? quote(dice.pick(known)) : oddJson(dice)}`);
  return `{${members.join(',')}}`;
}

const QUERIES = [
  '{ banks(first: 2) { edges { node { address symbol } } pageInfo { endCursor } } }',
  '{ status { version } }',
  '{ __schema { types { name fields { name args { name } } } } }',
  'query Q($a: String!) { account(address: $a) { address } }',
  'subscription { rates { bank } }',
  'mutation { a }',
  '{ ...A } fragment A on Query { ...A }',
  '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
  'query A { status { version } } query B { status { version } }',
];
const GRAPHQL_ACCEPTS = [...words('application/json text/event-stream multipart/mixed */* text/html'), ''];

/** A query that is none, is too deep, too wide or too dear, names what is not there, or comes in by a way that is no way. */
function graphqlRequest({ dice }: HostileScene): Parts {
  const headers: Header[] = [
    ...dice.maybe(15, () => oddHeader(dice)),
    ...dice.maybe(50, (): Header => ['accept', dice.pick(GRAPHQL_ACCEPTS)]),
  ];
  const query = graphqlQuery(dice);
  if (dice.chance(20)) {
    const asked = `query=${encode(query.slice(0, 3_000))}&variables=${encode(oddJson(dice).slice(0, 2_000))}`;
    return { method: dice.pick(['GET', 'GET', 'HEAD']), path: `/graphql?${asked}`, headers };
  }
  const odd = () => oddJson(dice);
  const known = dice.chance(90) ? quote(query) : odd();
  const text = `{"query":${known},"variables":${odd()},"operationName":${odd()},"extensions":${odd()}}`;
  const body = dice.chance(70) ? text : dice.chance(50) ? mutilate(dice, Buffer.from(text)) : odd();
  const method = dice.chance(95) ? 'POST' : dice.pick(['PUT', 'DELETE', 'OPTIONS', 'PATCH']);
  return { method, path: '/graphql', headers: [...headers, contentType(dice)], body };
}

function graphqlQuery(dice: Dice): string {
  const query = dice.pick(QUERIES);
  const text = () => quote(oddText(dice).toWellFormed());
  switch (dice.below(8)) {
    case 0:
      return `${'{ a '.repeat(dice.pick([20, 2_000]))}${'}'.repeat(dice.pick([20, 2_000]))}`;
    case 1:
      return `{ ${Array.from({ length: 1_000 }, (_, index) => `a${index}: status { version }`).join(' ')} }`;
    case 2: {
      const first = dice.pick(words('-1 0 999999999 1e9 null "a" [1] 2147483648'));
      return `{ banks(first: ${first}, after: ${text()}) { edges { node { address } } } }`;
    }
    case 3:
      return `${query}${'#'.repeat(100_000)}`;
    case 4:
      return `{ account(address: ${text()}) { address balances { bank } } }`;
    case 5:
      return Buffer.from(mutilate(dice, Buffer.from(query))).toString('utf8');
    case 6:
      return `query { banks(filter: ${oddJson(dice).slice(0, 2_000)}) { edges { cursor } } }`;
    default:
      return query;
  }
}

/** A stream of nothing, of what is not there, or from a place that never was. */
function streamRequest({ dice, known }: HostileScene): Parts {
  const names = dice.some(words('rates banks health activity last_event_id extra __proto__'), dice.below(4));
  const list = () => Array.from({ length: dice.pick([1, 2, 300]) }, () => dice.pick(known)).join(',');
  const value = () => (dice.chance(40) ? dice.pick(['all', 'banks', list()]) : oddText(dice));
  const query = names.map((name) => `${name}=${encode(value())}`).join('&');
  const headers = [
    ...dice.maybe(30, (): Header => ['last-event-id', oddWord(dice)]),
    ...dice.maybe(20, () => oddHeader(dice)),
  ];
  const method = dice.chance(95) ? 'GET' : dice.pick(['POST', 'HEAD', 'OPTIONS']);
  return { method, path: `/v1/stream?${query}`, headers };
}

const PAGES = words(`
  / /banks /strategies /docs /docs/ /assets/ /healthz /readyz /metrics /v1/openapi.json /favicon.ico
`);
const CLIMBS = [
  ...words('../../../../etc/passwd ..%2f..%2f..%2fpackage.json %2e%2e/%2e%2e/.env ....//....//etc/passwd'),
  ...words('.git/config .env static/../../package.json %00 %c0%ae%c0%ae/ ;id //evil.example'),
  '..\\..\\windows\\win.ini',
  'a'.repeat(8_000),
];

/** A page that is none, or a file that is for nobody. */
function pageRequest({ dice }: HostileScene): Parts {
  const headers = dice.maybe(40, () => oddHeader(dice));
  const climb = dice.chance(70) ? `${dice.pick(['', '/'])}${dice.pick(CLIMBS)}` : '';
  const query = dice.chance(20) ? `?${encode(oddText(dice))}` : '';
  const method = dice.chance(85) ? 'GET' : dice.pick(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']);
  return { method, path: `${dice.pick(PAGES)}${climb}${query}`, headers };
}
