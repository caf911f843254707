import { BANK_FLAG } from '@lending/domain';
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

export function readBankFlags({ flags }: Pick<P0Bank, 'flags'>): P0BankFlags {
  const has = (flag: bigint) => (flags & flag) !== 0n;
  return {
    canSettleBadDebtPermissionlessly: has(BANK_FLAG.permissionlessBadDebtSettlement),
    hasFrozenSettings: has(BANK_FLAG.frozenSettings),
    canBeClosed: has(BANK_FLAG.closable),
    allowsTokenlessRepayments: has(BANK_FLAG.tokenlessRepaymentsAllowed),
    hasCompletedTokenlessRepayments: has(BANK_FLAG.tokenlessRepaymentsComplete),
    isToken2022: has(BANK_FLAG.isToken2022),
    isSeedKnown: has(BANK_FLAG.hasKnownSeed),
    isStakedOracleDisabled: has(BANK_FLAG.stakedOracleDisabled),
    usesStakedOnRamp: has(BANK_FLAG.usesStakedOnRamp),
  };
}
