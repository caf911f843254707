import { RESERVE_STATUSES } from '@lending/domain';
import { z } from 'zod';
import { addressField, decimalField, timeField, unsignedField, venueField } from './fields.ts';

/** An amount in base units of the reserve's token; a limit or room of null is none. */
const amountField = unsignedField;

const incentiveSchema = z.object({
  side: z.enum(['deposit', 'borrow']),
  mint: addressField,
  /** Base units of the reward token a year, for the whole side. */
  amountPerYearBase: unsignedField,
  decimals: z.int().min(0).max(255),
});

/**
 * What a venue's reserve is and how much room it has, as its accounts said at one slot. Published when one of these differs from what
 * was published last; rates and sizes travel as `rate.sampled`.
 */
export const reserveUpdatedSchema = z.object({
  reserve: addressField,
  venue: venueField.exclude(['p0']),
  market: addressField,
  marketName: z.string().max(64).nullable(),
  mint: addressField,
  decimals: z.int().min(0).max(255),
  /** Mint of the receipt that a deposit gives; null where the venue mints none. Messages of before do not say. */
  receiptMint: addressField.nullable().default(null),
  symbol: z.string().max(32).nullable(),
  status: z.enum(RESERVE_STATUSES),
  statusReasons: z.array(z.string().max(60)).max(16),
  depositLimit: amountField.nullable(),
  depositRoom: amountField.nullable(),
  borrowLimit: amountField.nullable(),
  borrowRoom: amountField.nullable(),
  withdrawRoom: amountField,
  /** The price the venue itself uses, USD for one UI token. */
  priceUsd: decimalField.nullable(),
  priceTime: timeField.nullable(),
  incentives: z.array(incentiveSchema).max(20),
});
export type ReserveUpdated = z.infer<typeof reserveUpdatedSchema>;
