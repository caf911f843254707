import type { P0Bank } from './bank.ts';

/** A bank's switches by name. */
export interface P0BankFlags {
  readonly canSettleBadDebtPermissionlessly: boolean;
  readonly hasFrozenSettings: boolean;
  readonly canBeClosed: boolean;
  /** Forced deleverage is under way: no deposits, no borrows. */
  readonly allowsTokenlessRepayments: boolean;
  /** It is over: withdrawals pay what is left, pro rata. */
  readonly hasCompletedTokenlessRepayments: boolean;
  /** These four are written since 0.1.9. */
  readonly isToken2022: boolean;
  readonly isSeedKnown: boolean;
  readonly isStakedOracleDisabled: boolean;
  readonly usesStakedOnRamp: boolean;
}

/** @see marginfi-v2 type-crate/src/types/bank.rs `Bank::flags` */
export function readBankFlags({ flags }: Pick<P0Bank, 'flags'>): P0BankFlags {
  const has = (bit: bigint) => (flags & (1n << bit)) !== 0n;
  return {
    canSettleBadDebtPermissionlessly: has(2n),
    hasFrozenSettings: has(3n),
    canBeClosed: has(4n),
    allowsTokenlessRepayments: has(5n),
    hasCompletedTokenlessRepayments: has(6n),
    isToken2022: has(7n),
    isSeedKnown: has(8n),
    isStakedOracleDisabled: has(9n),
    usesStakedOnRamp: has(10n),
  };
}
