import type { MarginfiErrorName } from '@lending/programs';

/**
 * The line of the program's source that raises an error, which its log tells. `err` puts it into Anchor's line, `check` writes a line
 * of its own before.
 */
export interface ErrorSite {
  readonly raisedBy: 'err' | 'check';
  /** Below `programs/marginfi/src`. */
  readonly file: string;
  readonly line: number;
}

export function err(file: string, line: number): ErrorSite {
  return { raisedBy: 'err', file, line };
}

export function check(file: string, line: number): ErrorSite {
  return { raisedBy: 'check', file, line };
}

const BANK = 'state/bank.rs';
const ACCOUNT = 'state/marginfi_account.rs';
const GENERAL = 'utils/general.rs';

/** Errors that only one place raises, or one that every instruction goes through; marginfi-v2 at mrgn-0.1.9-rc3. */
const SITES: Readonly<Partial<Record<MarginfiErrorName, ErrorSite>>> = {
  AccountNotBankrupt: err(ACCOUNT, 992),
  AssetTagMismatch: err(GENERAL, 239),
  AssetsInLiabilityBank: check(ACCOUNT, 929),
  BankAccountNotFound: err(ACCOUNT, 1508),
  BankAssetCapacityExceeded: err(BANK, 314),
  BankKilledByBankruptcy: err(GENERAL, 268),
  BankLiabilityCapacityExceeded: err(BANK, 382),
  BankUninitialized: err(GENERAL, 273),
  DailyWithdrawalLimitExceeded: err('state/marginfi_group.rs', 252),
  ExhaustedLiability: check(ACCOUNT, 1163),
  HealthyAccount: err(ACCOUNT, 958),
  IllegalUtilizationRatio: err(BANK, 397),
  CostlyPositionLimitExceeded: check(ACCOUNT, 1546),
  InvalidConfig: err('state/interest_rate.rs', 197),
  InvalidRateLimitPrice: check(GENERAL, 486),
  InvalidTransfer: check(BANK, 699),
  IsolatedAccountIllegalState: check(ACCOUNT, 1083),
  LendingAccountBalanceSlotsFull: err(ACCOUNT, 1554),
  NoAssetFound: check(ACCOUNT, 1638),
  NoLiabilitiesInLiabilityBank: check(ACCOUNT, 924),
  NoLiabilityFound: check(ACCOUNT, 1695),
  OperationBorrowOnly: check(ACCOUNT, 1939),
  OperationDepositOnly: check(ACCOUNT, 1845),
  OperationRepayOnly: check(ACCOUNT, 1837),
  OperationWithdrawOnly: check(ACCOUNT, 1931),
  OracleMaxConfidenceExceeded: err('state/price.rs', 1669),
  ReserveStale: err('state/price.rs', 158),
  RiskEngineInitRejected: err(ACCOUNT, 1134),
  SwitchboardStalePrice: err('state/price.rs', 1369),
  TooSevereLiquidation: check(ACCOUNT, 1183),
  TooSeverePayoff: check(ACCOUNT, 1168),
};

/** Undefined for an error that the program raises without saying where, or at several places. */
export function findErrorSite(name: MarginfiErrorName): ErrorSite | undefined {
  return SITES[name];
}
