import { createServer, Server } from 'node:https';
import type { FastifyServerFactory } from 'fastify';
import { type ConnectionLimits, connectionOptions } from '../visitors/limit-connections.ts';
import type { Certificate } from './read-certificate.ts';
import { TLS_CONTEXT } from './tls-context.ts';

/** Makes the server of an app speak TLS, and nothing else: plain HTTP is closed unanswered. A handshake may take as long as the head of a request. */
export function tlsServerFactory({ cert, key }: Certificate, limits: ConnectionLimits): FastifyServerFactory {
  const { http, requestTimeout, connectionTimeout } = connectionOptions(limits);
  return (handler, { keepAliveTimeout }) => {
    const options = { ...http, requestTimeout, keepAliveTimeout: Number(keepAliveTimeout) };
    const server = createServer({ ...TLS_CONTEXT, ...options, cert, key, handshakeTimeout: limits.headMs }, handler);
    server.setTimeout(connectionTimeout);
    return server;
  };
}

/** Shows another certificate to whoever connects from now on. A server that speaks no TLS has none. */
export function renewCertificate(server: unknown, { cert, key }: Certificate): void {
  if (server instanceof Server) server.setSecureContext({ ...TLS_CONTEXT, cert, key });
}
