import type { FastifyInstance } from 'fastify';

/** A year, as browsers' lists ask for. Of this host alone: others of its domain are not ours to speak for. */
const STRICT_TRANSPORT_SECURITY = `max-age=${365 * 86_400}`;

/**
 * Tells browsers to come by TLS from now on (RFC 6797), where they did: over our own, or that of a proxy who is believed. Never over plain HTTP,
 * where anybody between could say so; and not at names of the machine itself, whose other ports speak what they like.
 */
export function addTransportSecurity(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, { raw }) => {
    if (request.protocol?.toLowerCase() !== 'https' || isOwnMachine(request.hostname)) return;
    raw.setHeader('strict-transport-security', STRICT_TRANSPORT_SECURITY);
  });
}

function isOwnMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}
