import type { FastifyRequest } from 'fastify';

const PATH = '/v1/docs/';
const HOST = /^[\w.:[\]-]{1,255}$/;

/**
 * What the page of an error code is addressed by, before the code: a URL at the host that the caller named, behind a trusted proxy the one
 * that the proxy was asked for. A path where there is no such host.
 */
export function docsBaseOf(request: Pick<FastifyRequest, 'protocol' | 'host'> | null): string {
  if (request === null || !HOST.test(request.host)) return PATH;
  return `${request.protocol}://${request.host}${PATH}`;
}
