import { z } from 'zod';
import { addressField, decimalField, integerField, u16Field, u32Field, unsignedField } from './fields.ts';

/** One slot in use. Shares are I80F48 written out in full, in the bank's share units; one of the two sides counts as nothing. */
const balanceSchema = z.object({
  /** Which of the account's sixteen. */
  slot: z.int().min(0).max(15),
  bank: addressField,
  /** As of the day the slot was opened. */
  assetTag: z.int().min(0).max(255),
  /** Joins the balance to standing orders; 0 to none. */
  tag: u16Field,
  assetShares: decimalField,
  liabilityShares: decimalField,
  /** Unix seconds. */
  lastUpdate: unsignedField,
  /** As stored, of a debt whose bank charges premium: the rate it accrues at since `lastUpdate`, u32::MAX is 1000 % a year. */
  premiumRate: u32Field.default(0),
  /** What was owed at `lastUpdate`, base units. */
  premiumOutstanding: decimalField.default('0'),
});

/**
 * A lending account, whole, as it stood at one slot. Published when it differs from what was published last.
 * `state` null: the account does not exist (any more).
 */
export const accountUpdatedSchema = z.object({
  account: addressField,
  /**
   * Tells writes of one slot apart, where the source does (Yellowstone's write version). Null: how the account stood at the end of
   * the slot, which is newer than any write in it.
   */
  writeVersion: unsignedField.nullable(),
  state: z
    .object({
      group: addressField,
      authority: addressField,
      /** Bits as stored. */
      flags: unsignedField,
      balances: z.array(balanceSchema).max(16),
      /** Unix seconds. */
      lastUpdate: unsignedField,
      migratedFrom: addressField.nullable(),
      migratedTo: addressField.nullable(),
      /** What the address is derived from; null for an account that is a key pair. */
      derivation: z.object({ index: u16Field, thirdPartyId: u16Field }).nullable(),
      emissionsDestination: addressField.nullable(),
      liquidationRecord: addressField.nullable(),
      activeOrders: z.int().min(0).max(255),
      /** Unix seconds since when what a liquidator may take grows; null where the account is not tagged. */
      liquidationTaggedAt: integerField.nullable().default(null),
    })
    .nullable(),
});
export type AccountUpdated = z.infer<typeof accountUpdatedSchema>;
