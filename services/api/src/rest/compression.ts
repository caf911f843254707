import { type BrotliOptions, constants, type ZlibOptions } from 'node:zlib';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';

/** What is shorter is sent as it is. */
export const LEAST_BYTES = 1_024;

/** What costs about as much time to send as it saves: the highest qualities take a hundred times as long for a tenth less. */
export const BROTLI: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
export const GZIP: ZlibOptions = { level: 5 };

const OPTIONS: FastifyCompressOptions = {
  threshold: LEAST_BYTES,
  encodings: ['br', 'gzip'],
  brotliOptions: BROTLI,
  zlibOptions: GZIP,
};

/** For a route whose answers are compressed: of a route that says less, the library takes its own options and not those of the scope. */
export const COMPRESSED: Pick<RouteShorthandOptions, 'compress'> = { compress: OPTIONS };

/** Lets the routes of a scope be `COMPRESSED`. Nothing else is compressed: streams would wait, and what is secret would show in lengths. */
export async function addCompression(scope: FastifyInstance): Promise<void> {
  await scope.register(compress, { ...OPTIONS, global: false });
}
