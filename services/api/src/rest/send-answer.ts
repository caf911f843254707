import type { FastifyReply } from 'fastify';
import { agelessDigest } from '#tools/kept-text.ts';
import { type Answer, RenderedReply, TextReply } from '#tools/tool.ts';
import { matchesETag } from './if-none-match.ts';
import { type Packing, packingOf, packParts } from './pack-parts.ts';
import { sendParts } from './send-parts.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** About one beat of what is read: who asks more often is told the same. */
const SHORTLY = 'public, max-age=2';
/** Whoever may see it, and in which form. */
const VARY = 'accept-encoding, authorization';

/** A build, or what a landing came to: for whoever asked, now. */
export function sendOnce(reply: FastifyReply, answer: Answer): FastifyReply {
  const { mediaType, headers, text } = written(answer);
  return reply
    .headers({ 'cache-control': cacheControl(reply, 'no-store'), ...headers })
    .type(mediaType)
    .send(text);
}

/** A read: named by what it says but for its age, so that who has it already is told so. */
export function sendRead(reply: FastifyReply, answer: Answer): FastifyReply | Promise<FastifyReply> {
  if (answer instanceof RenderedReply) {
    const { digest, parts } = answer.kept.between(answer.before, answer.after);
    return isKnown(reply, digest) ? reply.code(304).send() : sendRendered(reply, parts);
  }
  const { mediaType, headers, text } = written(answer);
  // A header says where the next page begins, of what is no JSON.
  const said = `${text}${Object.values(headers).join()}`;
  return isKnown(reply, agelessDigest(said))
    ? reply.code(304).send()
    : reply.headers(headers).type(mediaType).send(text);
}

/** Names an answer, and tells whether who asks has it. */
function isKnown(reply: FastifyReply, digest: string): boolean {
  const etag = `W/"${digest}"`;
  reply.headers({ etag, 'cache-control': cacheControl(reply, SHORTLY), vary: VARY });
  return matchesETag(reply.request.headers['if-none-match'], etag);
}

/** What is answered to somebody in particular is kept by nobody. */
export function cacheControl({ request }: FastifyReply, otherwise: string): string {
  return request.headers.authorization === undefined ? otherwise : 'private, no-store';
}

function written(answer: Answer) {
  if (answer instanceof TextReply) return answer;
  const text = answer instanceof RenderedReply ? answer.text : JSON.stringify(answer);
  return { mediaType: JSON_TYPE, headers: {}, text };
}

function sendRendered(reply: FastifyReply, parts: readonly Buffer[]): FastifyReply | Promise<FastifyReply> {
  reply.type(JSON_TYPE);
  const { method, headers } = reply.request;
  const accepted = headers['accept-encoding'] ?? 'identity';
  if (method === 'GET' && accepted === 'identity') return sendParts(reply.headers(ALWAYS), parts);
  const packing = 'x-no-compression' in headers ? null : packingOf(parts, accepted);
  return packing === null ? reply.send(Buffer.concat(parts)) : sendPacked(reply, parts, packing);
}

async function sendPacked(reply: FastifyReply, parts: readonly Buffer[], packing: Packing): Promise<FastifyReply> {
  const bytes = await packParts(parts, packing);
  return reply.header('content-encoding', packing).send(bytes);
}

/** What every answer says when it is sent. */
const ALWAYS = { 'x-content-type-options': 'nosniff' };
