import { z } from 'zod';
import { addressField, decimalField, unsignedField } from './fields.ts';

const bpsField = z.int().min(0).max(65_535);
const integerField = z.string().regex(/^-?(0|[1-9]\d{0,39})$/);
const windowSchema = z.object({
  maxOutflow: unsignedField,
  windowDuration: unsignedField,
  windowStart: integerField,
  prevWindowOutflow: integerField,
  curWindowOutflow: integerField,
});
const limiterSchema = z.object({ hourly: windowSchema, daily: windowSchema });

/** A price and its confidence edges, USD for one UI token, or the program's error in its place. */
const bandSchema = z.union([
  z.object({ spot: decimalField, low: decimalField, high: decimalField }),
  z.object({ error: z.string().max(60) }),
]);

/**
 * What the program's risk engine and limits read of one bank besides its configuration (`bank.updated`): its books, its price as the
 * program would load it, its vault and its group's switches, all at one slot, accrued to that slot's clock.
 *
 * I80F48 values are written out in full; windows and vault are base units (windows of the group: USD).
 */
export const bankMeasuredSchema = z.object({
  bank: addressField,
  ledger: z.object({
    assetShareValue: decimalField,
    liabilityShareValue: decimalField,
    totalAssetShares: decimalField,
    totalLiabilityShares: decimalField,
    insuranceFees: decimalField,
    groupFees: decimalField,
    programFees: decimalField,
    lendingPositions: z.int(),
    borrowingPositions: z.int(),
    flags: unsignedField,
    depositLimit: unsignedField,
    borrowLimit: unsignedField,
    operationalState: z.int().min(0).max(255),
    originationFee: decimalField,
    rateLimiter: limiterSchema,
    /** Unix seconds. */
    lastUpdate: integerField,
    /** What pairs of the variable borrow premium name the bank by; 0 is none. */
    premiumTag: z.int().min(0).default(0),
    /** Unix seconds since when its debts bear one. */
    premiumActivatedAt: integerField.default('0'),
    /** What of its circuit breaker decides what passes; null where the bank has none. Prices in USD, the halt's end in unix seconds. */
    breaker: z
      .object({
        tiersBps: z.tuple([bpsField, bpsField, bpsField]),
        windowMaxUpBps: bpsField,
        windowMaxDownBps: bpsField,
        tier: z.int().min(0).max(255),
        haltEndedAt: integerField,
        referencePrice: decimalField,
        windowReferencePrice: decimalField,
        preBreakState: z.int().min(0).max(255),
      })
      .nullable()
      .default(null),
  }),
  price: z.union([
    z.object({ spot: bandSchema, ema: bandSchema, hasBorrowingPower: z.boolean().default(true) }),
    z.object({ error: z.string().max(60) }),
  ]),
  /** What can leave: the vault's tokens, or what the venue lets out, in the bank's own units; null where that is not known. */
  vaultBase: unsignedField.nullable(),
  /** The mint's own fee on transfers; null without. */
  transferFee: z.object({ basisPoints: z.int().min(0).max(65_535), maximumFeeBase: unsignedField }).nullable(),
  /** Null where the group could not be read. */
  group: z
    .object({
      isPaused: z.boolean(),
      rateLimiter: limiterSchema,
      programFeeRate: decimalField,
      /** Yearly rates of the variable borrow premium, as the program encodes them. */
      premiumPairs: z
        .array(z.object({ collateralTag: z.int().min(0), liabilityTag: z.int().min(0), rate: z.int().min(0) }))
        .max(64)
        .default([]),
      sameAssetLeverage: z.object({ init: decimalField, maint: decimalField }).default({ init: '0', maint: '0' }),
    })
    .nullable(),
});
export type BankMeasured = z.infer<typeof bankMeasuredSchema>;
