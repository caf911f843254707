import type { FastifyRequest } from 'fastify';
import type { RateScope } from './rate-limiter.ts';

/** Under `/v1`, and still not counted: the description of the rest. */
const FREE = '/v1/openapi.json';

const ORIGIN = /^https?:\/\/[^/]*/;

/** What a REST request is counted by. `leveragePaths` are those of loops and closes. */
export function scopesOf(request: FastifyRequest, leveragePaths: ReadonlySet<string>): readonly RateScope[] {
  const path = pathOf(request);
  if (!path.startsWith('/v1/') || path === FREE) return [];
  if (!path.startsWith('/v1/tx/')) return ['v1'];
  return leveragePaths.has(path) ? ['v1', 'tx', 'leverage'] : ['v1', 'tx'];
}

/** The path as the router knows it, however it was written; of what it does not know, the path as it reads. */
export function pathOf({ routeOptions, url }: FastifyRequest): string {
  const route = routeOptions.url;
  if (route !== undefined && !route.includes('*')) return route;
  const [path = ''] = url.replace(ORIGIN, '').split(/[?#]/);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
