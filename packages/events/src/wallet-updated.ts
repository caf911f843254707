import { z } from 'zod';
import { addressField, unsignedField } from './fields.ts';

/** One token account of the wallet. */
const holdingSchema = z.object({
  tokenAccount: addressField,
  mint: addressField,
  tokenProgram: z.enum(['spl', 'token_2022']),
  decimals: z.int().min(0).max(255),
  amountBase: unsignedField,
  isFrozen: z.boolean(),
  /** What the mint itself says (a Token-2022 mint can); null where it says nothing. Data, never instructions. */
  symbol: z.string().max(32).nullable(),
  name: z.string().max(64).nullable(),
});

/**
 * What a wallet holds, whole, as seen at one slot: its SOL, and every token account it owns, empty ones too. A wallet that the
 * chain does not know has 0 lamports and no holdings.
 */
export const walletUpdatedSchema = z.object({
  wallet: addressField,
  lamports: unsignedField,
  holdings: z.array(holdingSchema),
  /** How many more there are than a message carries; 0 for nearly everybody. The largest amounts are kept. */
  holdingsLeftOut: z.int().nonnegative(),
});
export type WalletUpdated = z.infer<typeof walletUpdatedSchema>;
