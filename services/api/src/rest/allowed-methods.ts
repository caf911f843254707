import type { FastifyInstance } from 'fastify';

/** The methods that routes take at a path, in the order of the alphabet; none where there is no such path. */
export type AllowedMethods = (path: string) => readonly string[];

/** Remembers every route that is added from here on: the router itself answers for a path and a method together only. */
export function collectMethods(app: FastifyInstance): AllowedMethods {
  const methods = new Map<string, { readonly pattern: RegExp; readonly names: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    // What answers preflights is at every path, and says of none that it is there.
    if (url === '*') return;
    const known = methods.get(url) ?? { pattern: patternOf(url), names: new Set() };
    for (const name of [method].flat()) known.names.add(name);
    methods.set(url, known);
  });
  return (path) => {
    const found = [...methods.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ names }) => [...names]))].sort();
  };
}

/** A route's path as a pattern, a slash at its end left open as the router leaves it. */
function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  const source = escaped.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*').replace(/\/$/, '');
  return new RegExp(`^${source}/?$`);
}
