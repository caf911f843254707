import { constants } from 'node:zlib';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';

/** What costs about as much time to send as it saves: the highest qualities take a hundred times as long for a tenth less. */
const OPTIONS: FastifyCompressOptions = {
  threshold: 1_024,
  encodings: ['br', 'gzip'],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  zlibOptions: { level: 5 },
};

/** For a route whose answers are compressed: of a route that says less, the library takes its own options and not those of the scope. */
export const COMPRESSED: Pick<RouteShorthandOptions, 'compress'> = { compress: OPTIONS };

/** Lets the routes of a scope be `COMPRESSED`. Nothing else is compressed: streams would wait, and what is secret would show in lengths. */
export async function addCompression(scope: FastifyInstance): Promise<void> {
  await scope.register(compress, { ...OPTIONS, global: false });
}
