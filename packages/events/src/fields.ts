import { VENUES } from '@lending/domain';
import { z } from 'zod';

/** Base58 account address. Length and alphabet only: an address on a topic was an address on the chain. */
export const addressField = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);

/** Unsigned integer too wide for a float, as decimal text. */
export const unsignedField = z.string().regex(/^(0|[1-9]\d{0,39})$/);

/** Signed decimal number as text, exact: money and fixed point never pass through a float. */
export const decimalField = z.string().regex(/^-?(0|[1-9]\d*)(\.\d+)?$/);

/** ISO-8601 UTC instant. */
export const timeField = z.iso.datetime();

/** Where a bank's tokens earn. */
export const venueField = z.enum(VENUES);
