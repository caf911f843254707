import { z } from 'zod';
import { addressField, decimalField, u16Field, unsignedField } from './fields.ts';

/**
 * A standing stop-loss or take-profit of an account, whole, as it stood at one slot. Keyed by its account.
 * Units: `stopLoss` and `takeProfit` are USD that its two balances are worth together, the debt taken off, without weights: that net
 * is what the program compares. I80F48 written out in full; null where the trigger has no such side.
 * `state` null: the order does not exist any more.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/order.rs
 */
export const orderUpdatedSchema = z.object({
  order: addressField,
  account: addressField,
  writeVersion: unsignedField.nullable(),
  state: z
    .object({
      trigger: z.enum(['stop_loss', 'take_profit', 'both', 'unknown']),
      stopLoss: decimalField.nullable(),
      takeProfit: decimalField.nullable(),
      /** Fraction of one. */
      maxSlippage: decimalField,
      /** Tags of the two balances it is about. */
      tags: z.array(u16Field).length(2),
    })
    .nullable(),
});
export type OrderUpdated = z.infer<typeof orderUpdatedSchema>;
