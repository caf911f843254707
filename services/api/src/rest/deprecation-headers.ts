import type { Deprecation } from '#tools/tool.ts';

/**
 * What an operation that will end says with every answer.
 * @see RFC 9745 (Deprecation), RFC 8594 (Sunset)
 */
export function deprecationHeaders({ since, sunset, successor }: Deprecation): Readonly<Record<string, string>> {
  return {
    deprecation: `@${Math.floor(Date.parse(since) / 1_000)}`,
    sunset: new Date(sunset).toUTCString(),
    ...(successor !== undefined && { link: `<${successor}>; rel="successor-version"` }),
  };
}
