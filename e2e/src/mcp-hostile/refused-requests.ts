import { JSON_HEADERS, legacyMessage, MODERN_REVISION, modernHeaders, modernMessage } from './messages.ts';

/** Codes of JSON-RPC, and of the protocol above it. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const HEADER_MISMATCH = -32_020;
const UNSUPPORTED_VERSION = -32_022;
const NOT_SERVED = -32_000;

/** A request that the door refuses in the protocol's own words. */
export interface RefusedRequest {
  readonly what: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly status: number;
  readonly code: number;
}

const UNREAD: readonly RefusedRequest[] = [
  { what: 'nothing', body: '', status: 400, code: PARSE_ERROR },
  { what: 'half of a message', body: legacyMessage('ping').slice(0, -1), status: 400, code: PARSE_ERROR },
  { what: 'brackets without end', body: '['.repeat(100_000), status: 400, code: PARSE_ERROR },
  { what: 'bytes that are no text', body: Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d), status: 400, code: PARSE_ERROR },
  {
    what: 'objects in objects',
    body: `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
    status: 400,
    code: INVALID_REQUEST,
  },
  { what: 'null', body: 'null', status: 400, code: INVALID_REQUEST },
  { what: 'a number', body: '7', status: 400, code: INVALID_REQUEST },
  { what: 'a batch of nothing', body: '[]', status: 400, code: INVALID_REQUEST },
  { what: 'a batch of numbers', body: '[1, 2]', status: 400, code: INVALID_REQUEST },
  { what: 'no method', body: '{"jsonrpc":"2.0","id":1}', status: 400, code: INVALID_REQUEST },
  { what: 'a method that is none', body: legacyMessage(5), status: 400, code: INVALID_REQUEST },
  { what: 'an id that is an object', body: legacyMessage('ping', {}, {}), status: 400, code: INVALID_REQUEST },
  { what: 'an id that is null', body: legacyMessage('ping', {}, null), status: 400, code: INVALID_REQUEST },
  {
    what: 'another JSON-RPC',
    body: '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    status: 400,
    code: INVALID_REQUEST,
  },
  { what: 'more than is read', body: JSON.stringify({ a: 'x'.repeat(300_000) }), status: 413, code: NOT_SERVED },
];

const MISLABELLED: readonly RefusedRequest[] = [
  {
    what: 'a text',
    headers: { ...JSON_HEADERS, 'content-type': 'text/plain' },
    body: legacyMessage('ping'),
    status: 415,
    code: NOT_SERVED,
  },
  {
    what: 'a client that takes no events',
    headers: { ...JSON_HEADERS, accept: 'application/json' },
    body: legacyMessage('ping'),
    status: 406,
    code: NOT_SERVED,
  },
  {
    what: 'a page of somebody else',
    headers: { ...JSON_HEADERS, origin: 'https://evil.example' },
    body: legacyMessage('ping'),
    status: 403,
    code: NOT_SERVED,
  },
  {
    what: 'a version header of no revision',
    headers: { ...JSON_HEADERS, 'mcp-protocol-version': '1999-01-01' },
    body: legacyMessage('ping'),
    status: 400,
    code: NOT_SERVED,
  },
  {
    what: 'a version header without what the revision asks for',
    headers: { ...JSON_HEADERS, 'mcp-protocol-version': MODERN_REVISION },
    body: legacyMessage('ping'),
    status: 400,
    code: INVALID_PARAMS,
  },
  {
    what: 'a revision still to come',
    headers: modernHeaders('tools/list', '2099-01-01'),
    body: modernMessage('tools/list', {}, '2099-01-01'),
    status: 400,
    code: UNSUPPORTED_VERSION,
  },
  {
    what: 'a revision that header and body name differently',
    headers: modernHeaders('tools/list'),
    body: modernMessage('tools/list', {}, '2025-11-25'),
    status: 400,
    code: HEADER_MISMATCH,
  },
  {
    what: 'a method that header and body name differently',
    headers: modernHeaders('tools/call'),
    body: modernMessage('tools/list'),
    status: 400,
    code: HEADER_MISMATCH,
  },
  {
    what: 'a tool that header and body name differently',
    headers: { ...modernHeaders('tools/call'), 'mcp-name': 'svc_loop' },
    body: modernMessage('tools/call', { name: 'svc_get_banks' }),
    status: 400,
    code: HEADER_MISMATCH,
  },
  {
    what: 'no method header',
    headers: { ...JSON_HEADERS, 'mcp-protocol-version': MODERN_REVISION },
    body: modernMessage('tools/list'),
    status: 400,
    code: HEADER_MISMATCH,
  },
  {
    what: 'a batch of a revision without batches',
    headers: modernHeaders('tools/list'),
    body: `[${modernMessage('tools/list')}]`,
    status: 400,
    code: INVALID_REQUEST,
  },
  { what: 'GET', method: 'GET', status: 405, code: NOT_SERVED },
  { what: 'DELETE', method: 'DELETE', status: 405, code: NOT_SERVED },
  { what: 'PUT', method: 'PUT', body: legacyMessage('ping'), status: 405, code: NOT_SERVED },
];

const UNKNOWN: readonly RefusedRequest[] = [
  { what: 'a method of no revision', body: legacyMessage('__proto__'), status: 200, code: METHOD_NOT_FOUND },
  {
    what: 'the same of 2026-07-28',
    headers: modernHeaders('constructor'),
    body: modernMessage('constructor'),
    status: 404,
    code: METHOD_NOT_FOUND,
  },
  {
    what: 'the opening of another revision',
    headers: modernHeaders('initialize'),
    body: modernMessage('initialize'),
    status: 404,
    code: METHOD_NOT_FOUND,
  },
  {
    what: 'a tool that is none',
    body: legacyMessage('tools/call', { name: 'toString' }),
    status: 200,
    code: INVALID_PARAMS,
  },
  {
    what: 'arguments that are a text',
    body: legacyMessage('tools/call', { name: 'svc_get_banks', arguments: 'x' }),
    status: 200,
    code: INVALID_PARAMS,
  },
  {
    what: 'a file of the machine',
    body: legacyMessage('resources/read', { uri: 'file:///etc/passwd' }),
    status: 200,
    code: INVALID_PARAMS,
  },
  {
    what: 'a file above the pages',
    body: legacyMessage('resources/read', { uri: 'svc://errors/../../../etc/passwd' }),
    status: 200,
    code: INVALID_PARAMS,
  },
];

export const REFUSED_REQUESTS: readonly RefusedRequest[] = [...UNREAD, ...MISLABELLED, ...UNKNOWN];
