import { ACTIVITY_KINDS, LEG_ACTIONS } from '@lending/domain';
import { z } from 'zod';
import { addressField, decimalField, unsignedField } from './fields.ts';

/** Base58 signature of 64 bytes. */
export const signatureField = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);

const legSchema = z.object({
  bank: addressField,
  mint: addressField,
  action: z.enum(LEG_ACTIONS),
  /**
   * Tokens that moved, base units of the mint, on cToken banks too; null where the transaction does not tell. In a classic
   * liquidation none move: what was seized is in the asset bank's own units, receipts on cToken banks.
   */
  amountBase: unsignedField.nullable(),
  /** By how much the shares changed, I80F48 written out; null before the program told it (0.1.9), and in classic liquidations. */
  shares: decimalField.nullable(),
  /** The balance was closed by it. */
  closesSide: z.boolean(),
  /** How much of the amount paid premium, and what was given up besides it, base units; null where the program says nothing. */
  premium: z
    .object({ settledBase: unsignedField.nullable(), writtenOffBase: unsignedField.nullable() })
    .nullable()
    .default(null),
});

/** What tells activity apart: `signature:instruction[:inner]`. */
function activityId(activity: {
  readonly signature: string;
  readonly instructionIndex: number;
  readonly innerIndex: number | null;
}): string {
  const { signature, instructionIndex, innerIndex } = activity;
  return innerIndex === null ? `${signature}:${instructionIndex}` : `${signature}:${instructionIndex}:${innerIndex}`;
}

/**
 * One thing an account's owner, or somebody else, did with it, from a transaction that succeeded. Keyed by the account; the message's
 * slot and time are the transaction's block. Prices are not in here: what a leg was worth is looked up in the history of prices.
 */
export const activityRecordedSchema = z
  .object({
    /** `signature:instruction[:inner]`, as the three fields below say: unique, stable. Of a loop or close: where its flash loan starts. */
    id: z.string().max(120),
    signature: signatureField,
    instructionIndex: z.int().min(0).max(255),
    innerIndex: z.int().min(0).max(1_023).nullable(),
    kind: z.enum(ACTIVITY_KINDS),
    /** Ties what happened inside one flash loan or receivership together; null outside. */
    groupId: z.string().max(120).nullable(),
    account: addressField,
    authority: addressField,
    /** Who signed for it: another than the authority when somebody else acted, such as a liquidator. */
    actor: addressField,
    group: addressField,
    /** The other account it happened to: a liquidator's, or the one a portfolio was moved to. */
    counterparty: addressField.nullable(),
    feeLamports: unsignedField,
    /** Paid to block builders inside the transaction; 0 where nothing was. */
    tipLamports: unsignedField,
    finality: z.enum(['confirmed', 'finalized']),
    legs: z.array(legSchema).max(64),
    liquidation: z
      .object({
        /** The wallet that liquidated. */
        liquidator: addressField,
        assetBank: addressField.nullable(),
        liabilityBank: addressField.nullable(),
        seizedBase: unsignedField.nullable(),
        repaidBase: unsignedField.nullable(),
      })
      .nullable(),
    /** Which order to rebalance was placed, all else null; or what an execution of one moved; or how its tip was settled. */
    rebalance: z
      .object({
        order: addressField,
        executor: addressField.nullable(),
        /** Stands for the execution until its tip is settled, which names it again. */
        record: addressField.nullable(),
        /** Whole tokens, I80F48 written out; null in a settlement. */
        moved: decimalField.nullable(),
        /** Set aside by an execution, paid to the executor by a settlement. */
        tipLamports: unsignedField.nullable(),
        /** Whether the move paid; null in an execution. */
        realized: z.boolean().nullable(),
      })
      .nullable()
      .default(null),
  })
  .refine(({ id, ...activity }) => id === activityId(activity), {
    path: ['id'],
    message: 'is not what signature, instruction and inner instruction make',
  });
export type ActivityRecorded = z.infer<typeof activityRecordedSchema>;
