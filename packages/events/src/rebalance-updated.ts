import { z } from 'zod';
import { addressField, decimalField, unsignedField } from './fields.ts';

/**
 * A standing order to rebalance an account's deposit of one mint, whole, as it stood at one slot. Keyed by its account.
 * Units: `minImprovement` a fraction of one a year, I80F48 written out in full; `amountBase` base units an execution, null all; times in
 * unix seconds. `state` null: the order does not exist any more.
 */
export const rebalanceUpdatedSchema = z.object({
  order: addressField,
  account: addressField,
  writeVersion: unsignedField.nullable(),
  state: z
    .object({
      mint: addressField,
      banks: z.array(addressField).max(8),
      minImprovement: decimalField,
      cooldownSeconds: unsignedField,
      amountBase: unsignedField.nullable(),
      keeperTipLamports: unsignedField,
      /** Null: never. */
      lastExecutedAt: unsignedField.nullable(),
      /** What the account's pool for tips holds, its rent included. */
      feePoolLamports: unsignedField,
    })
    .nullable(),
});
export type RebalanceUpdated = z.infer<typeof rebalanceUpdatedSchema>;
