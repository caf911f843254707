import type { Dice } from '../builders/dice.ts';
import { type HostileRequest, requestBytes } from './hostile-request.ts';
import { deepJson, mutilate, oddJson, oddText } from './hostile-values.ts';
import { oddHeader } from './rest-requests.ts';

const METHODS = [
  'initialize',
  'notifications/initialized',
  'notifications/cancelled',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'resources/subscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'sampling/createMessage',
  'roots/list',
  'server/discover',
  'subscriptions/listen',
  'rpc.discover',
  '__proto__',
  'constructor',
  '',
];
const VERSIONS = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
  '1999-01-01',
  '',
  'x'.repeat(500),
  '9',
];

/** A message to `/mcp` that is no JSON, no JSON-RPC, of no version, of no method, or asks a tool for what it has not. */
export function mcpRequest(dice: Dice, tools: readonly string[], known: readonly string[]): HostileRequest {
  const headers: (readonly [string, string])[] = [
    [
      'content-type',
      dice.chance(92) ? 'application/json' : dice.pick(['text/plain', '', 'application/json; charset=latin1']),
    ],
    [
      'accept',
      dice.chance(90)
        ? 'application/json, text/event-stream'
        : dice.pick(['*/*', '', 'text/event-stream', 'image/png']),
    ],
  ];
  if (dice.chance(60)) headers.push(['mcp-protocol-version', dice.pick(VERSIONS)]);
  if (dice.chance(20)) headers.push(['mcp-method', dice.pick(METHODS).replace(/^$/, 'x')]);
  if (dice.chance(20)) headers.push(['mcp-name', dice.pick(tools)]);
  if (dice.chance(15)) headers.push(['mcp-session-id', oddText(dice).replaceAll(/[\r\n\0]/g, '')]);
  if (dice.chance(10)) headers.push(oddHeader(dice));
  if (dice.chance(4))
    headers.push(['host', dice.pick(['evil.example', 'localhost.evil.example', '169.254.169.254', ''])]);
  const method = dice.chance(92) ? 'POST' : dice.pick(['GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD']);
  const bytes = requestBytes({
    method,
    path: dice.chance(97) ? '/mcp' : dice.pick(['/mcp/', '/mcp/x', '/mcp?x=1', '/MCP', '/mcp%00']),
    headers,
    ...(method === 'POST' || method === 'PUT' ? { body: bodyOf(dice, tools, known) } : {}),
  });
  return { door: 'mcp', chunks: [bytes], isCut: false };
}

function bodyOf(dice: Dice, tools: readonly string[], known: readonly string[]): string | Uint8Array {
  switch (dice.below(12)) {
    case 0:
      return oddJson(dice);
    case 1:
      return mutilate(dice, Buffer.from(messageOf(dice, tools, known)));
    case 2:
      return dice.pick(['', '[', '[]', 'null', deepJson(20_000), '[]'.repeat(1_000), ' '.repeat(300_000), '\ufeff{}']);
    case 3:
      return `[${Array.from({ length: dice.pick([1, 2, 50, 500]) }, () => '{"jsonrpc":"2.0","method":"ping","id":1}').join(',')}]`;
    case 4:
      return `[${Array.from({ length: dice.between(1, 4) }, () => messageOf(dice, tools, known)).join(',')}]`;
    default:
      return messageOf(dice, tools, known);
  }
}

function messageOf(dice: Dice, tools: readonly string[], known: readonly string[]): string {
  const id = dice.pick(['1', '"a"', 'null', '-1', '1.5', '{}', '9007199254740993', '"\\u0000"']);
  const version = dice.chance(93) ? '"2.0"' : oddJson(dice);
  const method = dice.chance(60) ? 'tools/call' : dice.pick(METHODS);
  const members = [`"jsonrpc":${version}`, `"method":${JSON.stringify(method)}`];
  if (!dice.chance(10)) members.push(`"id":${id}`);
  if (!dice.chance(8)) members.push(`"params":${paramsOf(dice, method, tools, known)}`);
  if (dice.chance(5)) members.push(`${JSON.stringify(oddText(dice))}:${oddJson(dice)}`);
  return `{${members.join(',')}}`;
}

function paramsOf(dice: Dice, method: string, tools: readonly string[], known: readonly string[]): string {
  if (dice.chance(15)) return oddJson(dice);
  const meta = dice.chance(20)
    ? `,"_meta":${dice.chance(50) ? `{"progressToken":${oddJson(dice)}}` : oddJson(dice)}`
    : '';
  switch (method) {
    case 'tools/call': {
      const name = dice.chance(92) ? dice.pick(tools) : oddText(dice);
      return `{"name":${JSON.stringify(name)},"arguments":${argumentsOf(dice, known)}${meta}}`;
    }
    case 'resources/read':
      return `{"uri":${JSON.stringify(dice.pick(['svc://units', 'svc://errors/', 'svc://docs/../../etc/passwd', 'file:///etc/passwd', oddText(dice)]))}${meta}}`;
    case 'prompts/get':
      return `{"name":${JSON.stringify(dice.pick(['find_strategy', 'unwind', oddText(dice)]))},"arguments":${oddJson(dice)}${meta}}`;
    case 'completion/complete':
      return `{"ref":{"type":"ref/prompt","name":${JSON.stringify(oddText(dice))}},"argument":{"name":"bank","value":${oddJson(dice)}}${meta}}`;
    case 'initialize':
      return `{"protocolVersion":${JSON.stringify(dice.pick(VERSIONS))},"capabilities":${oddJson(dice)},"clientInfo":{"name":${oddJson(dice)},"version":"1"}${meta}}`;
    default:
      return oddJson(dice);
  }
}

const ARGUMENTS = [
  'address',
  'authority',
  'account',
  'bank',
  'deposit_bank',
  'borrow_bank',
  'amount',
  'leverage',
  'repay_all',
  'limit',
  'cursor',
  'fields',
  'query',
  'slug',
  'policy',
  'priority_fee',
  'transaction_version',
  'idempotency_key',
  'response_format',
  'api_key',
  '__proto__',
];

function argumentsOf(dice: Dice, known: readonly string[]): string {
  if (dice.chance(10)) return oddJson(dice);
  const members = dice
    .some(ARGUMENTS, dice.below(6))
    .map((name) => `${JSON.stringify(name)}:${dice.chance(50) ? JSON.stringify(dice.pick(known)) : oddJson(dice)}`);
  return `{${members.join(',')}}`;
}
