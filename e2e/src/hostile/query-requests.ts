import type { Dice } from '../builders/dice.ts';
import { type HostileRequest, requestBytes } from './hostile-request.ts';
import { mutilate, oddJson, oddText } from './hostile-values.ts';
import { oddHeader } from './rest-requests.ts';

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

/** A query that is none, is too deep, too wide or too dear, names what is not there, or comes in by a way that is no way. */
export function graphqlRequest(dice: Dice): HostileRequest {
  const headers: (readonly [string, string])[] = [];
  if (dice.chance(15)) headers.push(oddHeader(dice));
  if (dice.chance(50))
    headers.push([
      'accept',
      dice.pick(['application/json', 'text/event-stream', 'multipart/mixed', '*/*', 'text/html', '']),
    ]);
  const query = queryOf(dice);
  if (dice.chance(20)) {
    const path = `/graphql?query=${encodeURIComponent(query.slice(0, 3_000))}&variables=${encodeURIComponent(oddJson(dice).slice(0, 2_000).toWellFormed())}`;
    return {
      door: 'graphql',
      chunks: [requestBytes({ method: dice.pick(['GET', 'GET', 'HEAD']), path, headers })],
      isCut: false,
    };
  }
  headers.push([
    'content-type',
    dice.chance(90)
      ? 'application/json'
      : dice.pick(['application/graphql', 'text/plain', 'multipart/form-data; boundary=x', '']),
  ]);
  const text = `{"query":${dice.chance(90) ? JSON.stringify(query) : oddJson(dice)},"variables":${oddJson(dice)},"operationName":${oddJson(dice)},"extensions":${oddJson(dice)}}`;
  const body = dice.chance(70) ? text : dice.chance(50) ? mutilate(dice, Buffer.from(text)) : oddJson(dice);
  const method = dice.chance(95) ? 'POST' : dice.pick(['PUT', 'DELETE', 'OPTIONS', 'PATCH']);
  return { door: 'graphql', chunks: [requestBytes({ method, path: '/graphql', headers, body })], isCut: false };
}

function queryOf(dice: Dice): string {
  const query = dice.pick(QUERIES);
  switch (dice.below(8)) {
    case 0:
      return `${'{ a '.repeat(dice.pick([20, 2_000]))}${'}'.repeat(dice.pick([20, 2_000]))}`;
    case 1:
      return `{ ${Array.from({ length: 1_000 }, (_, index) => `a${index}: status { version }`).join(' ')} }`;
    case 2:
      return `{ banks(first: ${dice.pick(['-1', '0', '999999999', '1e9', 'null', '"a"', '[1]', '2147483648'])}, after: ${JSON.stringify(oddText(dice).toWellFormed())}) { edges { node { address } } } }`;
    case 3:
      return `${query}${'#'.repeat(100_000)}`;
    case 4:
      return `{ account(address: ${JSON.stringify(oddText(dice).toWellFormed())}) { address balances { bank } } }`;
    case 5:
      return Buffer.from(mutilate(dice, Buffer.from(query))).toString('utf8');
    case 6:
      return `query { banks(filter: ${oddJson(dice).slice(0, 2_000)}) { edges { cursor } } }`;
    default:
      return query;
  }
}

/** A stream that is asked for nothing, for what is not there, or from a place that never was. */
export function streamRequest(dice: Dice, known: readonly string[]): HostileRequest {
  const names = dice.some(
    ['rates', 'banks', 'health', 'activity', 'last_event_id', 'extra', '__proto__'],
    dice.below(4),
  );
  const list = () => Array.from({ length: dice.pick([1, 2, 300]) }, () => dice.pick(known)).join(',');
  const query = names.map(
    (name) =>
      `${name}=${encodeURIComponent(dice.chance(40) ? dice.pick(['all', 'banks', list()]) : oddText(dice).toWellFormed())}`,
  );
  const headers: (readonly [string, string])[] = [];
  if (dice.chance(30)) headers.push(['last-event-id', oddText(dice).replaceAll(/[\r\n\0]/g, '')]);
  if (dice.chance(20)) headers.push(oddHeader(dice));
  const method = dice.chance(95) ? 'GET' : dice.pick(['POST', 'HEAD', 'OPTIONS']);
  return {
    door: 'stream',
    chunks: [requestBytes({ method, path: `/v1/stream?${query.join('&')}`, headers })],
    isCut: false,
  };
}

const PAGES = [
  '/',
  '/banks',
  '/strategies',
  '/docs',
  '/docs/',
  '/assets/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/v1/openapi.json',
  '/favicon.ico',
];
const CLIMBS = [
  '../../../../etc/passwd',
  '..%2f..%2f..%2fpackage.json',
  '%2e%2e/%2e%2e/.env',
  '....//....//etc/passwd',
  '..\\..\\windows\\win.ini',
  '.git/config',
  '.env',
  'static/../../package.json',
  '%00',
  '%c0%ae%c0%ae/',
  'a'.repeat(8_000),
  ';id',
  '//evil.example',
];

/** A page that is none, or a file that nobody is to have. */
export function pageRequest(dice: Dice): HostileRequest {
  const headers: (readonly [string, string])[] = [];
  if (dice.chance(40)) headers.push(oddHeader(dice));
  const path = `${dice.pick(PAGES)}${dice.chance(70) ? `${dice.pick(['', '/'])}${dice.pick(CLIMBS)}` : ''}`;
  const method = dice.chance(85) ? 'GET' : dice.pick(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']);
  return {
    door: 'pages',
    chunks: [
      requestBytes({
        method,
        path: `${path}${dice.chance(20) ? `?${encodeURIComponent(oddText(dice).toWellFormed())}` : ''}`,
        headers,
      }),
    ],
    isCut: false,
  };
}
