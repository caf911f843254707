import type { Dice } from '../builders/dice.ts';
import { type HostileRequest, requestBytes } from './hostile-request.ts';
import { deepJson, mutilate, oddJson, oddText } from './hostile-values.ts';

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

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedRoute>>>>;
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

export function operationsOf({ paths }: Description): readonly DescribedOperation[] {
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

const ODD_METHODS = ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'get', 'GET\t', 'CONNECT'];
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'application/json; charset="',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/xml',
  '*/*',
  '',
  'a'.repeat(3_000),
];

/** A request of REST with something wrong in its path, query, body or headers; some have only one thing wrong, others hardly anything right. */
export function restRequest(
  dice: Dice,
  operations: readonly DescribedOperation[],
  known: readonly string[],
): HostileRequest {
  const operation = dice.pick(operations);
  const method = dice.chance(8) ? dice.pick([...ODD_METHODS, 'POST', 'GET']) : operation.method;
  const path = pathOf(dice, operation, known);
  const headers: (readonly [string, string])[] = [];
  if (dice.chance(30)) headers.push(oddHeader(dice));
  const hasBody = method === 'POST' || dice.chance(5);
  if (hasBody && !dice.chance(3))
    headers.push(['content-type', dice.chance(85) ? 'application/json' : dice.pick(TYPES)]);
  const whole = requestBytes({ method, path, headers, ...(hasBody && { body: bodyOf(dice, operation, known) }) });
  return {
    door: 'rest',
    chunks: [whole], // Node hangs up on who wants a tunnel.
    isCut: method === 'CONNECT',
  };
}

function pathOf(dice: Dice, { path, query }: DescribedOperation, known: readonly string[]): string {
  const filled = path.replaceAll(/\{\w+\}/g, () => {
    const value = dice.chance(40) ? dice.pick(known) : oddText(dice);
    return dice.chance(90) ? encode(value) : value.replaceAll(/[\r\n ]/g, '');
  });
  const named = dice.some(query, dice.below(4));
  const pairs = named.map((name) => [name, dice.chance(20) ? dice.pick(known) : oddText(dice)] as const);
  if (dice.chance(15)) pairs.push([oddText(dice), oddText(dice)]);
  if (dice.chance(5) && pairs[0] !== undefined) pairs.push(pairs[0]);
  const text = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const odd = dice.chance(4) ? dice.pick(['?', '&&&', '[]=1&[a]=2', 'a[b][c]=1', '%', '%zz', '%c0%ae', '#x']) : '';
  return `${filled}${text === '' && odd === '' ? '' : '?'}${text}${odd}`;
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Headers that mean something to somebody: proxies, caches, tokens, keys, tracing. */
export function oddHeader(dice: Dice): readonly [string, string] {
  const name = dice.pick([
    'authorization',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-request-id',
    'x-conversation-id',
    'x-aggregator1-api-key',
    'x-jupiter-api-key',
    'x-aggregator2-api-key',
    'if-none-match',
    'accept',
    'accept-encoding',
    'content-encoding',
    'expect',
    'range',
    'origin',
    'cookie',
    'host',
    'upgrade',
    'te',
    'traceparent',
    'access-control-request-method',
    'x-http-method-override',
    'last-event-id',
  ]);
  const value = dice.pick([
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
    oddText(dice).replaceAll(/[\r\n\0]/g, ''),
  ]);
  return [name, value];
}

function bodyOf(dice: Dice, { example, fields }: DescribedOperation, known: readonly string[]): string | Uint8Array {
  const good = JSON.stringify(example ?? {});
  switch (dice.below(8)) {
    case 0:
      return oddJson(dice);
    case 1:
      return mutilate(dice, Buffer.from(good));
    case 2:
      return `${good}${good}`;
    case 3:
      return dice.pick([
        deepJson(20_000),
        `[${'['.repeat(50_000)}`,
        ' '.repeat(300_000),
        `"${'a'.repeat(270_000)}"`,
        '\ufeff{}',
      ]);
    default: {
      const members = Object.entries(example ?? {}).map(([name, value]) => [name, JSON.stringify(value)] as const);
      const names = [...fields, 'extra', '__proto__', 'api_key', 'constructor'];
      const odd = dice
        .some(names, dice.between(1, 3))
        .map((name) => [name, dice.chance(30) ? JSON.stringify(dice.pick(known)) : oddJson(dice)] as const);
      const merged = dice.chance(10) ? [...members, ...odd] : [...new Map([...members, ...odd])];
      return `{${merged.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
    }
  }
}
