import { VENUES } from '@lending/domain';
import { z } from 'zod';

/** Base58 account address. Length and alphabet only: an address on a topic was an address on the chain. */
export const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
export const addressField = z.string().regex(ADDRESS);

/** Unsigned integer too wide for a float, as decimal text. */
export const UNSIGNED = /^(0|[1-9]\d{0,39})$/;
export const unsignedField = z.string().regex(UNSIGNED);

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
