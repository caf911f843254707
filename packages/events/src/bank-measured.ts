import { z } from 'zod';
import { addressField, decimalField, integerField, u16Field, u32Field, unsignedField } from './fields.ts';

const bpsField = z.int().min(0).max(65_535);
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
    /**
     * What the account itself has of its share values, which is what an instruction on another bank reads, and how they grow: unix seconds,
     * APRs as fractions of one. Null where the group could not be read, and from publishers that had no such field.
     */
    stored: z
      .object({
        assetShareValue: decimalField,
        liabilityShareValue: decimalField,
        accruesFrom: integerField,
        depositApr: decimalField,
        borrowApr: decimalField,
      })
      .nullable()
      .default(null),
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
    /** What its debts pay on top of interest, by the group's pairs; `collected` base units. Null from publishers before 0.1.12. */
    premium: z
      .object({ tag: u16Field, isActive: z.boolean(), activatedAt: integerField, collected: decimalField })
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
      /** What a debt whose bank has one tag pays for collateral whose bank has the other; rates as stored, u32::MAX is 1000 % a year. */
      premiumPairs: z
        .array(z.object({ collateralTag: u16Field, liabilityTag: u16Field, rate: u32Field }))
        .max(64)
        .default([]),
      sameAssetLeverage: z.object({ init: decimalField, maint: decimalField }).default({ init: '0', maint: '0' }),
    })
    .nullable(),
});
export type BankMeasured = z.infer<typeof bankMeasuredSchema>;
