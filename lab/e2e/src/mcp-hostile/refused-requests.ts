import { JSON_HEADERS, legacyMessage, MODERN_REVISION, modernHeaders, modernMessage } from './messages.ts';

/** Codes of JSON-RPC, and of the protocol above it. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const HEADER_MISMATCH = -32_020;
const UNSUPPORTED_VERSION = -32_022;
const NOT_SERVED = -32_000;

/** A request that is refused in the protocol's own words. */
export interface RefusedRequest {
  readonly what: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly status: number;
  readonly code: number;
}

type Body = NonNullable<RefusedRequest['body']>;

/** What is no message: it is read no further. */
const UNREAD: readonly (readonly [what: string, body: Body, code: number])[] = [
  ['nothing', '', PARSE_ERROR],
  ['half of a message', legacyMessage('ping').slice(0, -1), PARSE_ERROR],
  ['brackets without end', '['.repeat(100_000), PARSE_ERROR],
  ['bytes that are no text', Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d), PARSE_ERROR],
  ['objects in objects', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, INVALID_REQUEST],
  ['null', 'null', INVALID_REQUEST],
  ['a number', '7', INVALID_REQUEST],
  ['a batch of nothing', '[]', INVALID_REQUEST],
  ['a batch of numbers', '[1, 2]', INVALID_REQUEST],
  ['no method', '{"jsonrpc":"2.0","id":1}', INVALID_REQUEST],
  ['a method that is none', legacyMessage(5), INVALID_REQUEST],
  ['an id that is an object', legacyMessage('ping', {}, {}), INVALID_REQUEST],
  ['an id that is null', legacyMessage('ping', {}, null), INVALID_REQUEST],
  ['another JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}', INVALID_REQUEST],
];

/** A message whose headers are wrong, by the header that is. */
const MISLABELLED: readonly (readonly [what: string, headers: Record<string, string>, status: number, code: number])[] =
  [
    ['a text', { 'content-type': 'text/plain' }, 415, NOT_SERVED],
    ['a client that takes no events', { accept: 'application/json' }, 406, NOT_SERVED],
    ['a page of another site', { origin: 'https://evil.example' }, 403, NOT_SERVED],
    ['a version header of no revision', { 'mcp-protocol-version': '1999-01-01' }, 400, NOT_SERVED],
    [
      'a version header without what the revision wants',
      { 'mcp-protocol-version': MODERN_REVISION },
      400,
      INVALID_PARAMS,
    ],
  ];

const LIST = 'tools/list';
const TOLD_TWICE = { ...modernHeaders('tools/call'), 'mcp-name': 'svc_loop' };
const NO_METHOD = { ...JSON_HEADERS, 'mcp-protocol-version': MODERN_REVISION };

/** A message of 2026-07-28, whose headers say once more what the body says. */
const MODERN: readonly (readonly [what: string, headers: Record<string, string>, body: Body, code: number])[] = [
  [
    'a revision still to come',
    modernHeaders(LIST, '2099-01-01'),
    modernMessage(LIST, {}, '2099-01-01'),
    UNSUPPORTED_VERSION,
  ],
  [
    'a revision that header and body name differently',
    modernHeaders(LIST),
    modernMessage(LIST, {}, '2025-11-25'),
    HEADER_MISMATCH,
  ],
  ['a method that header and body name differently', modernHeaders('tools/call'), modernMessage(LIST), HEADER_MISMATCH],
  [
    'a tool that header and body name differently',
    TOLD_TWICE,
    modernMessage('tools/call', { name: 'svc_get_banks' }),
    HEADER_MISMATCH,
  ],
  ['no method header', NO_METHOD, modernMessage(LIST), HEADER_MISMATCH],
  ['a batch of a revision without batches', modernHeaders(LIST), `[${modernMessage(LIST)}]`, INVALID_REQUEST],
];

/** What the protocol has, and the service has not. */
const UNKNOWN: readonly (readonly [what: string, method: string, params: object, code: number])[] = [
  ['a method of no revision', '__proto__', {}, METHOD_NOT_FOUND],
  ['a tool that is none', 'tools/call', { name: 'toString' }, INVALID_PARAMS],
  ['arguments that are a text', 'tools/call', { name: 'svc_get_banks', arguments: 'x' }, INVALID_PARAMS],
  ['a file of the machine', 'resources/read', { uri: 'file:///etc/passwd' }, INVALID_PARAMS],
  ['a file above the pages', 'resources/read', { uri: 'svc://errors/../../../etc/passwd' }, INVALID_PARAMS],
];

const ping = legacyMessage('ping');

export const REFUSED_REQUESTS: readonly RefusedRequest[] = [
  ...UNREAD.map(([what, body, code]) => ({ what, body, status: 400, code })),
  { what: 'more than is read', body: JSON.stringify({ a: 'x'.repeat(300_000) }), status: 413, code: NOT_SERVED },
  ...MISLABELLED.map(([what, wrong, status, code]) => {
    return { what, headers: { ...JSON_HEADERS, ...wrong }, body: ping, status, code };
  }),
  ...MODERN.map(([what, headers, body, code]) => ({ what, headers, body, status: 400, code })),
  ...['GET', 'DELETE'].map((method) => ({ what: method, method, status: 405, code: NOT_SERVED })),
  { what: 'PUT', method: 'PUT', body: ping, status: 405, code: NOT_SERVED },
  ...UNKNOWN.map(([what, method, params, code]) => ({ what, body: legacyMessage(method, params), status: 200, code })),
  ...[
    ['a method of no revision, in 2026-07-28', 'constructor'],
    ['the opening of another revision', 'initialize'],
  ].map(([what = '', method = '']) => {
    return { what, headers: modernHeaders(method), body: modernMessage(method), status: 404, code: METHOD_NOT_FOUND };
  }),
];
