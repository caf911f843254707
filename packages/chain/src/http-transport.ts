import { stringifyJsonWithBigInts } from '@solana/rpc-spec-types';
import { createHttpTransport } from '@solana/rpc-transport-http';
import { isListing } from './is-listing.ts';
import { parseExactJson } from './parse-exact-json.ts';

/** The node is a stranger: what it is asked in is what kit's own transport asks in. */
const HEADERS = { 'accept-encoding': 'br,gzip,deflate' };

/** kit's transport with its exact integers; of listings, which are long and have none that matter, the plain reading. */
export function createNodeTransport(url: string): ReturnType<typeof createHttpTransport> {
  return createHttpTransport({
    url,
    headers: HEADERS,
    toJson: stringifyJsonWithBigInts,
    fromJson(text, payload) {
      const { method, params } = payload as { readonly method: string; readonly params: unknown };
      return isListing(method, params) ? JSON.parse(text) : parseExactJson(text);
    },
  });
}
