import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { loadExplorer } from './load-explorer.ts';

/** Whether a browser opened `/graphql`; programs ask for JSON, or for anything. */
export function wantsExplorer({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true;
}

export async function sendExplorer({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const explorer = await loadExplorer();
  reply.headers(explorer.headers).header('vary', 'accept, accept-encoding');
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim());
  if (known.includes(explorer.headers.etag)) return reply.code(304).send();
  if (/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(headers['accept-encoding'] ?? ''))) {
    return reply.header('content-encoding', 'gzip').send(explorer.gzip);
  }
  // Hardly anybody: kept compressed only.
  return reply.send(Readable.from([explorer.gzip]).pipe(createGunzip()));
}
