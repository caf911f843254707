import type { FractionE18 } from '@lending/domain';
import { AccountRole, type Address, getBase64Encoder, type Instruction, isAddress } from '@solana/kit';
import { z } from 'zod';
import { BoundedCache } from '#bounded-cache.ts';

/** More accounts than a transaction has, so that a route with too many is told from garbage. */
const MAX_ACCOUNTS = 256;
const MAX_INSTRUCTIONS = 32;
/** A transaction's bytes, in base64, with room. */
const MAX_DATA = 8_192;
export const MAX_LOOKUP_TABLES = 16;
const MAX_LEGS = 64;
const MAX_LABEL = 64;

/** Pools come back with every quote, and reading one address takes kit 20 µs. */
const known = new BoundedCache<true>(8_192);

function isKnownAddress(text: string): boolean {
  if (known.get(text)) return true;
  if (!isAddress(text)) return false;
  known.set(text, true);
  return true;
}

export const wireAddress = z
  .string()
  .max(44)
  .refine(isKnownAddress)
  .transform((text) => text as Address);

/** A u64 as decimal text. */
export const wireAmount = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);

export const wireSlot = z.int().nonnegative().transform(BigInt);

export const wireBps = z.int().min(0).max(65_535);

const SCIENTIFIC = /^(-?)(\d{1,40})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** A part of one as decimal text or a number, which JavaScript may have written with an exponent. */
export const wireFraction = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((text) => SCIENTIFIC.test(text))
  .transform(toFraction);

const FRACTION_DECIMALS = 18;

function toFraction(text: string): FractionE18 {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = SCIENTIFIC.exec(text) ?? [];
  const mantissa = BigInt(`${sign}${whole}${decimals}`);
  const shift = FRACTION_DECIMALS + Number(exponent) - decimals.length;
  return shift >= 0 ? mantissa * 10n ** BigInt(shift) : mantissa / 10n ** BigInt(-shift);
}

const wireData = z
  .string()
  .max(MAX_DATA)
  .refine((text) => /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0)
  .transform((text) => new Uint8Array(getBase64Encoder().encode(text)));

const wireAccount = z.object({ pubkey: wireAddress, isSigner: z.boolean(), isWritable: z.boolean() });

/** Both aggregators write instructions alike. */
export const wireInstruction = z
  .object({ programId: wireAddress, accounts: z.array(wireAccount).max(MAX_ACCOUNTS), data: wireData })
  .transform(
    ({ programId, accounts, data }): Instruction => ({
      programAddress: programId,
      accounts: accounts.map(({ pubkey, isSigner, isWritable }) => ({
        address: pubkey,
        role: roleOf(isSigner, isWritable),
      })),
      data,
    }),
  );

export const wireInstructions = z.array(wireInstruction).max(MAX_INSTRUCTIONS);

/** Pools along a route by the name the aggregator gives them; shown to operators alone. */
export const wireLegs = <T extends z.ZodType<string>>(leg: T) => z.array(leg).max(MAX_LEGS);

export const wireLabel = z.string().transform((text) => text.slice(0, MAX_LABEL));

function roleOf(isSigner: boolean, isWritable: boolean): AccountRole {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}
