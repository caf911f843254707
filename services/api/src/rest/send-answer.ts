import type { FastifyReply } from 'fastify';
import { agelessDigest } from '#tools/kept-text.ts';
import { type Answer, RenderedReply, TextReply } from '#tools/tool.ts';
import { matchesETag } from './if-none-match.ts';

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
export function sendRead(reply: FastifyReply, answer: Answer): FastifyReply {
  const etag = `W/"${digestOf(answer)}"`;
  reply.headers({ etag, 'cache-control': cacheControl(reply, SHORTLY), vary: VARY });
  if (matchesETag(reply.request.headers['if-none-match'], etag)) return reply.code(304).send();
  if (answer instanceof RenderedReply) return reply.type(JSON_TYPE).send(bytesOf(answer));
  const { mediaType, headers, text } = written(answer);
  return reply.headers(headers).type(mediaType).send(text);
}

/** What is answered to somebody in particular is kept by nobody. */
export function cacheControl({ request }: FastifyReply, otherwise: string): string {
  return request.headers.authorization === undefined ? otherwise : 'private, no-store';
}

/** JSON as text, once for each answer: both what is sent and what names it are made of it. */
const texts = new WeakMap<object, string>();

function written(answer: Answer) {
  if (answer instanceof TextReply) return answer;
  const known = texts.get(answer as object);
  const text = known ?? (answer instanceof RenderedReply ? answer.text : JSON.stringify(answer));
  if (known === undefined) texts.set(answer as object, text);
  return { mediaType: JSON_TYPE, headers: {}, text };
}

function digestOf(answer: Answer): string {
  if (answer instanceof RenderedReply) return agelessDigest(`${answer.before}${answer.kept.digest}${answer.after}`);
  return agelessDigest(written(answer).text);
}

/** Most of it is bytes already: a text would be turned into them for every answer. */
function bytesOf({ before, kept: { bytes }, after }: RenderedReply<unknown>): Buffer {
  const [head, tail] = [Buffer.byteLength(before), Buffer.byteLength(after)];
  const whole = Buffer.allocUnsafe(head + bytes.length + tail);
  whole.write(before);
  bytes.copy(whole, head);
  whole.write(after, head + bytes.length);
  return whole;
}
