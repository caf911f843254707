import { z } from 'zod';
import { addressField, decimalField, unsignedField } from './fields.ts';

/** One slot in use. Shares are I80F48 written out in full, in the bank's share units; one of the two sides counts as nothing. */
const balanceSchema = z.object({
  /** Which of the account's sixteen. */
  slot: z.int().min(0).max(15),
  bank: addressField,
  /** As of the day the slot was opened. */
  assetTag: z.int().min(0).max(255),
  /** Joins the balance to standing orders; 0 to none. */
  tag: z.int().min(0).max(65_535),
  assetShares: decimalField,
  liabilityShares: decimalField,
  /** Of the variable borrow premium: the yearly rate as the program encodes it, and what was claimed and not paid, base units. */
  premium: z
    .object({ rate: z.int().min(0).max(4_294_967_295), outstanding: decimalField })
    .default({ rate: 0, outstanding: '0' }),
  /** Unix seconds. */
  lastUpdate: unsignedField,
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
      derivation: z.object({ index: z.int().min(0).max(65_535), thirdPartyId: z.int().min(0).max(65_535) }).nullable(),
      emissionsDestination: addressField.nullable(),
      liquidationRecord: addressField.nullable(),
      activeOrders: z.int().min(0).max(255),
    })
    .nullable(),
});
export type AccountUpdated = z.infer<typeof accountUpdatedSchema>;
