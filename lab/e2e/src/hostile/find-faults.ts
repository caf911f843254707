import { WIRE_CODES } from '@lending/errors';
import { ROOT } from '@lending/testing';
import type { Exchange, HostileRequest, RawAnswer } from './exchange.ts';

/** What tells of the inside: traces, files of ours and of the machine, statements, other people's error texts. */
const INSIDES: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a stack', /\n\s+at .+[:(]\d+|\bat (async )?[\w.<>]+ \((file:|node:|\/)/],
  ['a module', /node:internal|node_modules|\bservices\/api\/src|\bpackages\/\w+\/src|\.ts:\d+/],
  ['a path', /(?<![\w.%/])\/(home|root|tmp|usr|var|work|opt)\/[\w.-]+/],
  ['a statement', /\b(select|insert into|update) [\s\S]{0,200}\b(from|values|set)\b .*\$\d/i],
  ['an error of the database', /\b(syntax error at or near|relation "|ECONNREFUSED|postgres(ql)?:\/\/)/],
  [
    'an error of JavaScript',
    /\b(TypeError|RangeError|ReferenceError|Maximum call stack|Cannot read propert|is not a function|is not iterable)\b/,
  ],
];

/**
 * What is wrong with the answers to a hostile request; none is what there should be.
 * @param secrets what no answer may have, such as keys of the service.
 */
export function findFaults(
  request: HostileRequest,
  { answers, text, ended }: Exchange,
  secrets: readonly string[],
): readonly string[] {
  const faults: string[] = [];
  const asked = Buffer.concat(request.chunks).toString('utf8');
  if (ended === 'silent') faults.push('nothing came, or no end of it');
  if (answers.length === 0 && request.isCut !== true && ended !== 'silent') faults.push('hung up without an answer');
  if (text.includes(ROOT)) faults.push('told where it lies');
  for (const secret of secrets) if (text.includes(secret)) faults.push('told a secret');
  for (const answer of answers) faults.push(...insidesIn(answer, asked), ...faultsOf(answer));
  return faults;
}

/** Pages and their scripts are files that anybody may have; everything else is written for whoever asked. */
const FILES = /^(text\/(html|css|javascript)|application\/javascript|image\/|font\/)/;

function insidesIn({ headers, body }: RawAnswer, asked: string): readonly string[] {
  if (FILES.test(headers['content-type'] ?? '')) return [];
  return INSIDES.flatMap(([what, pattern]) => {
    const found = pattern.exec(body)?.[0];
    // A caller may well be told his own words.
    return found === undefined || asked.includes(found) ? [] : [`told ${what}: ${found.slice(0, 200)}`];
  });
}

function faultsOf({ status, headers, body }: RawAnswer): readonly string[] {
  const faults: string[] = [];
  if (status >= 500 && status !== 503) faults.push(`answered ${status}`);
  if (status === 503 && !/^[1-9]\d*$/.test(headers['retry-after'] ?? '')) faults.push('a 503 without Retry-After');
  if (status >= 400 && body !== '' && !isKnownError(body))
    faults.push(`an error of no known shape: ${status} ${body.slice(0, 200)}`);
  if (headers['set-cookie'] !== undefined) faults.push('set a cookie');
  if (headers.server !== undefined || headers['x-powered-by'] !== undefined) faults.push('told what it runs on');
  return faults;
}

/** The wire's own body, an error of JSON-RPC, or errors of GraphQL. */
function isKnownError(text: string): boolean {
  // GraphQL's answers come as an event, or as a part, to who asks for that.
  const body =
    /^data: (\{.*\})$/m.exec(text)?.[1] ?? /^\s*---\r\n[\s\S]*?\r\n\r\n(\{.*\})\r\n---/.exec(text)?.[1] ?? text;
  try {
    const parsed = JSON.parse(body) as Record<string, unknown>;
    const one = Array.isArray(parsed) ? parsed[0] : parsed;
    if (typeof one !== 'object' || one === null) return false;
    if ('jsonrpc' in one) return typeof one.error === 'object';
    if ('errors' in one) return Array.isArray(one.errors);
    return typeof one.error === 'string' && Object.hasOwn(WIRE_CODES, String(one.code));
  } catch {
    return false;
  }
}
