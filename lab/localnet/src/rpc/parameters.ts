import {
  type Address,
  type Commitment,
  getBase58Encoder,
  isAddress,
  isBlockhash,
  isSignature,
  type Signature,
} from '@solana/kit';
import * as z from 'zod';
import { JsonRpcError, rpcErrors } from './json-rpc-error.ts';
import type { NodeLedger } from './node-ledger.ts';

/** Reads one positional parameter; clients send `null` for what they leave out. */
export function parameter<S extends z.ZodType>(params: readonly unknown[], index: number, schema: S): z.output<S> {
  const value = params[index] ?? undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const place = issue === undefined || issue.path.length === 0 ? `parameter ${index}` : issue.path.join('.');
  throw rpcErrors.invalidParams(`Invalid params: ${place}: ${issue?.message ?? 'not valid'}`);
}

export const addressField = z
  .string('expected a string')
  .refine((text) => isAddress(text), 'Invalid param: Invalid')
  .transform((text) => text as Address);
export const signatureField = z
  .string('expected a string')
  // `isSignature` throws at letters that base58 has not.
  .refine((text) => /^[1-9A-HJ-NP-Za-km-z]+$/.test(text) && isSignature(text), 'Invalid param: Invalid')
  .transform((text) => text as Signature);
export const blockhashField = z
  .string('expected a string')
  .refine((text) => isBlockhash(text), 'Invalid param: Invalid');
export const slotField = z.int().nonnegative().transform(BigInt);

const commitmentField = z.enum(['processed', 'confirmed', 'finalized']).default('finalized');
/** Of what is in blocks. */
const landedField = z
  .enum(['confirmed', 'finalized'], 'Method does not support commitment below `confirmed`')
  .default('finalized');

/** Objects of the wire: unknown keys are ignored, as nodes do, and absent ones may be null. */
function loose<S extends z.core.$ZodLooseShape>(shape: S) {
  return z.preprocess(dropNulls, z.object(shape));
}

function dropNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? {};
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null));
}

const contextShape = { commitment: commitmentField, minContextSlot: slotField.optional() };
export const contextConfig = loose(contextShape);

/** The one in which data is served. A node's default is base58, which it refuses for all but the shortest. */
const encodingField = z.literal('base64');
const dataSliceField = z.object({ offset: z.int().nonnegative(), length: z.int().nonnegative() });

const accountShape = { ...contextShape, encoding: encodingField, dataSlice: dataSliceField.optional() };
export const accountConfig = loose(accountShape);
export type AccountConfig = Pick<z.output<typeof accountConfig>, 'dataSlice'>;

const filterField = z.union([
  z.object({ dataSize: z.int().nonnegative() }),
  z.object({
    memcmp: z.object({
      offset: z.int().nonnegative(),
      bytes: z.string().max(175),
      encoding: z.enum(['base58', 'base64']).default('base58'),
    }),
  }),
]);
export const programConfig = loose({
  ...accountShape,
  withContext: z.boolean().default(false),
  filters: z.array(filterField).max(4, 'Too many filters provided; max 4').default([]),
});
export type AccountFilter = z.output<typeof filterField>;

export const transactionConfig = loose({
  commitment: landedField,
  encoding: z.enum(['json', 'base64']).default('json'),
  maxSupportedTransactionVersion: z.int().min(0).max(255).optional(),
});
export type TransactionConfig = z.output<typeof transactionConfig>;

/** Blocks are served without what is in them. */
export const blockConfig = loose({ commitment: landedField, transactionDetails: z.literal('none') });
export const blocksConfig = loose({ commitment: landedField });

export const signaturesConfig = loose({
  ...contextShape,
  commitment: landedField,
  limit: z.int().min(1).max(1000, 'Invalid limit; max 1000').default(1000),
  before: signatureField.optional(),
  until: signatureField.optional(),
});

const wireEncodingField = z.enum(['base58', 'base64']).default('base58');
export const wireConfig = loose({ encoding: wireEncodingField });
export const sendConfig = loose({
  encoding: wireEncodingField,
  skipPreflight: z.boolean().default(false),
  preflightCommitment: commitmentField,
  maxRetries: z.int().nonnegative().optional(),
  minContextSlot: slotField.optional(),
});
export const simulateConfig = loose({
  ...contextShape,
  encoding: wireEncodingField,
  sigVerify: z.boolean().default(false),
  replaceRecentBlockhash: z.boolean().default(false),
  innerInstructions: z.boolean().default(false),
  accounts: z.object({ encoding: encodingField, addresses: z.array(addressField) }).optional(),
});

/**
 * The commitment and slot a request is answered at.
 * Refuses with -32016 when `minContextSlot` is ahead of it.
 */
export function contextSlot(
  ledger: NodeLedger,
  config: { readonly commitment: Commitment; readonly minContextSlot?: bigint | undefined },
): bigint {
  const slot = ledger.slot(config.commitment);
  if (config.minContextSlot !== undefined && config.minContextSlot > slot)
    throw rpcErrors.minContextSlotNotReached(slot);
  return slot;
}

/** Largest wire transaction per format, in bytes. @see SIMD-0385 for v1 */
const MAX_WIRE = 1232;
const MAX_WIRE_V1 = 4096;
const V1_FIRST_BYTE = 0x81;

/** Bytes of a transaction sent as text. */
export function decodeWireText(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  const bytes = encoding === 'base64' ? fromBase64(text) : fromBase58(text);
  const limit = bytes[0] === V1_FIRST_BYTE ? MAX_WIRE_V1 : MAX_WIRE;
  if (bytes.length <= limit) return bytes;
  throw rpcErrors.invalidParams(
    `decoded solana_transaction::versioned::VersionedTransaction too large: ${bytes.length} bytes (max: ${limit} bytes)`,
  );
}

export function fromBase64(text: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0)
    throw rpcErrors.invalidParams('invalid base64 encoding');
  return new Uint8Array(Buffer.from(text, 'base64'));
}

export function fromBase58(text: string): Uint8Array {
  // Base58 decoding is quadratic; nothing longer can be a transaction in it.
  if (text.length > 1683)
    throw rpcErrors.invalidParams(`base58 encoded text too large: ${text.length} bytes (max: 1683)`);
  try {
    return new Uint8Array(getBase58Encoder().encode(text));
  } catch (cause) {
    const error = new JsonRpcError(-32602, 'invalid base58 encoding');
    error.cause = cause;
    throw error;
  }
}
