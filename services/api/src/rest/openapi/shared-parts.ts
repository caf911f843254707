import { WIRE_CODES, type WireCode, wireStatus } from '@lending/errors';
import { errorExample } from './error-examples.ts';

/** What many operations of the description share: headers, the errors that any of them can answer, and how to say who asks. */

const text = { type: 'string' } as const;
const wholeSeconds = { type: 'integer', minimum: 1 } as const;

const HEADERS = {
  RequestId: {
    description: "The request's own x-request-id, or one made for it; in the service's log too",
    schema: text,
  },
  RateLimitPolicy: {
    description: 'What a minute allows, of each scope that the request counts in',
    schema: text,
    example: '"v1";q=60;w=60',
  },
  RateLimit: {
    description: 'What is left of it (r), and in how many seconds more is (t)',
    schema: text,
    example: '"v1";r=42;t=17',
  },
  RetryAfter: { description: 'Seconds to wait before the same call', required: true, schema: wholeSeconds },
  WwwAuthenticate: {
    description: 'What is asked for',
    required: true,
    schema: text,
    example: 'Bearer realm="lending-agent-service", error="invalid_token"',
  },
  ETag: {
    description: 'Names the answer but for its age: send it as If-None-Match to hear 304 while nothing else changed',
    schema: text,
    example: 'W/"3Fz0c8hYw1kQm2s7"',
  },
  CacheControl: { description: 'How long who may keep the answer', schema: text, example: 'public, max-age=2' },
  NextCursor: { description: 'Of text/csv: pass it as cursor for the next page', schema: text },
  ConversationId: {
    description: 'The conversation that the call was recorded in, of a caller with a bearer token',
    schema: text,
  },
  Deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745)',
    schema: text,
    example: '@1798761600',
  },
  Sunset: {
    description: 'When it ends (RFC 8594)',
    schema: text,
    example: 'Thu, 31 Dec 2027 23:59:59 GMT',
  },
} as const;
type HeaderName = keyof typeof HEADERS;

const WIRE_NAMES: Readonly<Record<HeaderName, string>> = {
  RequestId: 'x-request-id',
  RateLimitPolicy: 'RateLimit-Policy',
  RateLimit: 'RateLimit',
  RetryAfter: 'Retry-After',
  WwwAuthenticate: 'WWW-Authenticate',
  ETag: 'ETag',
  CacheControl: 'Cache-Control',
  NextCursor: 'x-next-cursor',
  ConversationId: 'x-conversation-id',
  Deprecation: 'Deprecation',
  Sunset: 'Sunset',
};

/** Headers of a response, by what they are called here. */
export function headersOf(...names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [WIRE_NAMES[name], { $ref: `#/components/headers/${name}` }]));
}

/** A response with the error body, of one of these codes. */
export function failureOf(codes: readonly WireCode[]): object {
  const [first] = codes;
  const status = first === undefined ? 500 : wireStatus(first);
  const only = { properties: { code: { enum: [...codes] } } };
  return {
    description: codes.map((code) => `\`${code}\`: ${WIRE_CODES[code].meaning}`).join('\n\n'),
    headers: headersOf(
      'RequestId',
      'RateLimitPolicy',
      'RateLimit',
      ...(status === 401 ? (['WwwAuthenticate'] as const) : []),
      ...(status === 429 || status === 503 ? (['RetryAfter'] as const) : []),
    ),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Error' }, only] },
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: WIRE_CODES[code].meaning, value: errorExample(code) }]),
        ),
      },
    },
  };
}

/** Codes that any operation below /v1 can answer: what is asked before an operation is. */
export const ANYWHERE: readonly WireCode[] = [
  'INVALID_ARGUMENT',
  'UNAUTHENTICATED',
  'NOT_FOUND',
  'RATE_LIMITED',
  'INTERNAL',
  'DATA_STALE',
  'UPSTREAM_UNAVAILABLE',
];

/** Codes that any operation with a body can answer besides. */
export const OF_BODIES: readonly WireCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

export const SHARED_PARTS = {
  schemas: {
    Absent: { description: 'The same as leaving the field out', enum: [null, ''] },
  },
  headers: HEADERS,
  parameters: {
    ConversationId: {
      name: 'x-conversation-id',
      in: 'header',
      required: false,
      description: 'Of a caller with a bearer token: the conversation to record the call in. Default: the present one',
      schema: text,
    },
    IfNoneMatch: {
      name: 'if-none-match',
      in: 'header',
      required: false,
      description: 'The ETag of the answer at hand: 304 where nothing changed but its age',
      schema: text,
    },
  },
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        'A token that the operator issued. Needed for conversations alone; elsewhere it makes the call be recorded in one. A token that is none is refused everywhere.',
    },
  },
} as const;
