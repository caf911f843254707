import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { type RpcTransport, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from '@solana/kit';
import { stringifyJsonWithBigInts } from '@solana/rpc-spec-types';
import { isListing } from './is-listing.ts';
import { parseExactJson } from './parse-exact-json.ts';

const UNPACK = new Map([
  ['br', promisify(brotliDecompress)],
  ['gzip', promisify(gunzip)],
]);

const HEADERS = {
  accept: 'application/json',
  'accept-encoding': [...UNPACK.keys()].join(','),
  'content-type': 'application/json; charset=utf-8',
};

/**
 * Asks one node over HTTP, with exact integers; of listings, which are long and have none that matter, the plain reading. It throws what
 * kit's own transport throws, which goes through `fetch`: that takes 0.45 ms of the process for a request, where this takes 0.1 to 0.2,
 * and a build sends four. A redirection is not followed: who is asked stands in the settings.
 */
export function createNodeTransport(url: string): RpcTransport {
  const target = new URL(url);
  const request = target.protocol === 'https:' ? requestHttps : requestHttp;
  return async <T>({ payload, signal }: Parameters<RpcTransport>[0]) => {
    const body = Buffer.from(stringifyJsonWithBigInts(payload));
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = { ...HEADERS, 'content-length': body.length };
    const sent = request(target, { method: 'POST', headers, ...(signal !== undefined && { signal }) }, resolve);
    sent.on('error', reject);
    sent.end(body);
    try {
      const answer = await promise;
      if (answer.statusCode !== 200) throw refusalOf(answer);
      const text = await readText(answer);
      const { method, params } = payload as { readonly method: string; readonly params: unknown };
      return (isListing(method, params) ? JSON.parse(text) : parseExactJson(text)) as T as never;
    } catch (error) {
      // Node wraps the reason of a signal.
      throw signal?.aborted ? signal.reason : error;
    }
  };
}

async function readText(answer: IncomingMessage): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => chunks.push(chunk));
  answer.once('end', () => resolve(Buffer.concat(chunks)));
  answer.on('error', reject);
  const bytes = await promise;
  const unpack = UNPACK.get(answer.headers['content-encoding'] ?? '');
  return (unpack === undefined ? bytes : await unpack(bytes)).toString('utf8');
}

function refusalOf(answer: IncomingMessage): Error {
  // What it says besides is read by nobody, and keeps the connection from its next request.
  answer.resume();
  const { statusCode = 0, statusMessage = '', headersDistinct } = answer;
  const headers = Object.entries(headersDistinct).map(([name, values = []]): [string, string] => [
    name,
    values.join(', '),
  ]);
  const context = { statusCode, message: statusMessage, headers: new Headers(headers) };
  return new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, context);
}
