import { OPERATIONAL_STATES } from '@lending/domain';
import { z } from 'zod';
import { addressField, decimalField, unsignedField, venueField } from './fields.ts';

const emodeEntrySchema = z.object({
  collateralTag: z.int().nonnegative(),
  assetWeightInit: decimalField,
  assetWeightMaint: decimalField,
});

/**
 * What a bank is: its identity and configuration, as its account said at one slot. Published when one of these changes; what
 * a bank pays and holds travels as `rate.sampled`.
 *
 * Weights and fees are I80F48 written out in full, limits are base units.
 * `null` in a limit means the program's "off" (u64::MAX, or 0 for the value limit).
 */
export const bankUpdatedSchema = z.object({
  bank: addressField,
  group: addressField,
  venue: venueField,
  mint: addressField,
  decimals: z.int().min(0).max(255),
  tokenProgram: z.enum(['spl', 'token_2022']).nullable(),
  symbol: z.string().max(32).nullable(),
  assetTag: z.int().min(0).max(255),
  operationalState: z.enum([...OPERATIONAL_STATES, 'Unknown']),
  riskTier: z.enum(['Collateral', 'Isolated']),
  weights: z.object({
    assetInit: decimalField,
    assetMaint: decimalField,
    liabilityInit: decimalField,
    liabilityMaint: decimalField,
  }),
  depositLimit: unsignedField.nullable(),
  borrowLimit: unsignedField.nullable(),
  totalAssetValueInitLimitUsd: unsignedField.nullable(),
  originationFee: decimalField,
  flags: unsignedField,
  emode: z.object({
    tag: z.int().nonnegative(),
    entries: z.array(emodeEntrySchema).max(10),
    /** Null where the bank takes no part in same-asset emode. */
    sameAsset: z
      .object({ asset: z.string().max(300), isDebtToo: z.boolean() })
      .nullable()
      .default(null),
  }),
  oracle: z.object({
    setup: z.string().max(40),
    key: addressField.nullable(),
    maxAgeSeconds: z.int().nonnegative(),
  }),
  /** Corners of the interest curve: utilisation and base APR as fractions of one, ascending. */
  rateCurve: z.array(z.object({ utilization: decimalField, baseApr: decimalField })).max(16),
  /** Account of the venue behind an integration bank (reserve, spot market, lending); null on `p0`. */
  venueAccount: addressField.nullable(),
});
export type BankUpdated = z.infer<typeof bankUpdatedSchema>;
