import type { FastifyReply } from 'fastify';

/** Whoever answers a socket itself forgets what hooks said of the answer before; this says it there. */
export function keepHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
}
