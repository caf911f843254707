import type { FastifyReply } from 'fastify';

/**
 * Sends a body of several parts as they are. The library takes one text or one buffer, and joining 200 kB into either costs four times as much as
 * all the rest of an answer. What is done to answers when they are sent is not done to this one: its headers are whole before.
 */
export function sendParts(reply: FastifyReply, parts: readonly Buffer[]): FastifyReply {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  reply.header('content-length', length).hijack();
  const { raw } = reply;
  raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string | number>);
  raw.cork();
  for (const part of parts) raw.write(part);
  raw.end();
  raw.uncork();
  return reply;
}
