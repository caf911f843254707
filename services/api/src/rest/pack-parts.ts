import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { BROTLI, GZIP, LEAST_BYTES } from './compression.ts';

/** What an answer is compressed by. */
export type Packing = 'br' | 'gzip';

const PACK: Readonly<Record<Packing, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes) => promisify(gzip)(bytes, GZIP),
};

/** Kept while the parts are: those of everybody who asks in the same tenth of a second are the same. */
const packed = new WeakMap<readonly Buffer[], Map<Packing, Promise<Buffer>>>();

/** The parts of an answer as one, compressed: once, whoever else is sent these very parts. */
export function packParts(parts: readonly Buffer[], packing: Packing): Promise<Buffer> {
  const known = packed.get(parts) ?? new Map<Packing, Promise<Buffer>>();
  packed.set(parts, known);
  const bytes = known.get(packing) ?? PACK[packing](Buffer.concat(parts));
  known.set(packing, bytes);
  return bytes;
}

/** How the parts are sent to whoever accepts these. Null: not compressed, or it says more than names, which the library weighs. */
export function packingOf(parts: readonly Buffer[], accepted: string): Packing | null {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length < LEAST_BYTES || !/^[a-z, ]+$/i.test(accepted)) return null;
  const names = accepted
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  if (names.includes('br')) return 'br';
  return names.includes('gzip') ? 'gzip' : null;
}
