import { PublicKey } from '@solana/web3.js';

/** Reserved room: what one version calls padding, a later one gives a name. */
function isPadding(name: string): boolean {
  return /^_?(pad|padding|reserved)\d*$/i.test(name.replaceAll('_', ''));
}

interface BigNumberLike {
  toString(radix: number): string;
}

/** What Anchor makes of the program's fixed point. */
function isWrappedI80F48(value: object): value is { readonly value: readonly number[] } {
  return 'value' in value && Array.isArray(value.value) && value.value.length === 16;
}

/** An enum of Anchor's: one key, which is the variant. */
function variantOf(value: object): string | null {
  const [key, ...others] = Object.keys(value);
  const inner = key === undefined ? undefined : (value as Record<string, unknown>)[key];
  const isEmpty = typeof inner === 'object' && inner !== null && Object.keys(inner).length === 0;
  return key !== undefined && others.length === 0 && isEmpty && !Array.isArray(value) ? key : null;
}

/**
 * Every leaf of a decoded account as `path → text`, padding apart, whoever decoded it: Anchor's big numbers, keys, wrapped fixed point
 * and enums come out as our codecs have them. Names lose case and underscores, which is how the two spell them differently.
 */
export function plainLeaves(value: unknown, path = ''): Map<string, string> {
  const leaf = leafOf(value);
  if (leaf !== null) return new Map([[path, leaf]]);
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value as object);
  const leaves = [...entries].flatMap(([key, inner]) => {
    const name = String(key);
    if (isPadding(name)) return [];
    return [...plainLeaves(inner, `${path}.${name.replaceAll('_', '').toLowerCase()}`)];
  });
  return new Map(leaves);
}

function leafOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof PublicKey) return value.toBase58();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (isBytes(value)) return Buffer.from(value).toString('hex');
  if ('negative' in value && 'words' in value) return (value as BigNumberLike).toString(10);
  if (isWrappedI80F48(value)) return signed128(value.value).toString();
  return variantOf(value)?.toLowerCase() ?? null;
}

/** Byte arrays come as plain arrays of numbers; the only other arrays of numbers there are have an object around each. */
function isBytes(value: object): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => Number.isInteger(item));
}

function signed128(littleEndian: readonly number[]): bigint {
  const hex = Buffer.from([...littleEndian].reverse()).toString('hex');
  return BigInt.asIntN(128, BigInt(`0x${hex}`));
}
