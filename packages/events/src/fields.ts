import { VENUES } from '@lending/domain';
import { z } from 'zod';

/** Base58 account address. Length and alphabet only: an address on a topic was an address on the chain. */
export const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
export const addressField = z.string().regex(ADDRESS);

/** Unsigned integer too wide for a float, as decimal text. */
export const UNSIGNED = /^(0|[1-9]\d{0,39})$/;
export const unsignedField = z.string().regex(UNSIGNED);

/** Signed integer as decimal text. */
export const integerField = z.string().regex(/^-?(0|[1-9]\d{0,39})$/);

/** Unsigned integer of 16 and of 32 bits, as a number. */
export const u16Field = z.int().min(0).max(65_535);
export const u32Field = z.int().min(0).max(4_294_967_295);

/** Signed decimal number as text, exact: money and fixed point never pass through a float. */
export const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;
export const decimalField = z.string().regex(DECIMAL);

/** ISO-8601 UTC instant. */
export const timeField = z.iso.datetime();
export const TIME = z.regexes.datetime({});

/** A slot, as decimal text. */
export const SLOT = /^(0|[1-9]\d{0,19})$/;
export const slotField = z.string().regex(SLOT);

/** Where a bank's tokens earn. */
export const venueField = z.enum(VENUES);
