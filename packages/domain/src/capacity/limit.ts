import type { ProgramErrorName } from '../program-error-name.ts';

/** What can bind an amount; one vocabulary for every answer. */
export const LIMITS = [
  'health',
  'liquidity',
  'deposit_cap',
  'borrow_cap',
  'rate_limit',
  'swap_depth',
  'tag',
  'slots',
  'balance',
  'state',
  'circuit_breaker',
] as const;
export type Limit = (typeof LIMITS)[number];

/** The most of something, and what one base unit more fails with. Both nulls: nothing binds before the amount leaves a u64. */
export interface Capacity {
  readonly maxBase: bigint;
  readonly limitedBy: Limit | null;
  readonly error: ProgramErrorName | null;
}

/** What an agent can act on, by the error the program would give. What fails while an account is valued counts as `health`. */
const LIMIT_OF_ERROR: Readonly<Record<ProgramErrorName, Limit>> = {
  BankAssetCapacityExceeded: 'deposit_cap',
  BankLiabilityCapacityExceeded: 'borrow_cap',
  IllegalUtilizationRatio: 'liquidity',
  InsufficientFunds: 'liquidity',
  BankHourlyRateLimitExceeded: 'rate_limit',
  BankDailyRateLimitExceeded: 'rate_limit',
  GroupHourlyRateLimitExceeded: 'rate_limit',
  GroupDailyRateLimitExceeded: 'rate_limit',
  InvalidRateLimitPrice: 'rate_limit',
  AssetTagMismatch: 'tag',
  WrongAssetTagForStandardInstructions: 'tag',
  LendingAccountBalanceSlotsFull: 'slots',
  CostlyPositionLimitExceeded: 'slots',
  BankAccountNotFound: 'balance',
  NoAssetFound: 'balance',
  NoLiabilityFound: 'balance',
  OperationWithdrawOnly: 'balance',
  OperationDepositOnly: 'balance',
  OperationBorrowOnly: 'balance',
  OperationRepayOnly: 'balance',
  IllegalBalanceState: 'balance',
  ProtocolPaused: 'state',
  AccountDisabled: 'state',
  AccountFrozen: 'state',
  BankPaused: 'state',
  BankReduceOnly: 'state',
  BankKilledByBankruptcy: 'state',
  BankUninitialized: 'state',
  BankCircuitBreakerHalted: 'circuit_breaker',
  CircuitBreakerPriceJump: 'circuit_breaker',
  ForbiddenIx: 'state',
  InvalidConfig: 'state',
  MathError: 'state',
  RiskEngineInitRejected: 'health',
  IsolatedAccountIllegalState: 'health',
  InternalLogicError: 'health',
  ProgramFailedToComplete: 'health',
  BorshIoError: 'health',
  OracleNotSetup: 'health',
  PremiumSnapshotUnavailable: 'health',
  WrongNumberOfOracleAccounts: 'health',
  WrongOracleAccountKeys: 'health',
  InvalidPrice: 'health',
  FixedOraclePriceNegative: 'health',
  OracleMaxConfidenceExceeded: 'health',
  PythPushInvalidAccount: 'health',
  PythPushInsufficientVerificationLevel: 'health',
  PythPushStalePrice: 'health',
  SwitchboardInvalidAccount: 'health',
  SwitchboardWrongAccountOwner: 'health',
  SwitchboardStalePrice: 'health',
  ScopeInvalidAccount: 'health',
  ScopeInvalidEntry: 'health',
  ScopeStalePrice: 'health',
  StakeOraclesDisabled: 'health',
  StakePoolValidationFailed: 'health',
  StakePoolStale: 'health',
  MarinadeStateValidationFailed: 'health',
  ExponentVaultValidationFailed: 'health',
  ZeroSupplyInStakePool: 'health',
  KaminoReserveValidationFailed: 'health',
  ReserveStale: 'health',
  DriftSpotMarketValidationFailed: 'health',
  DriftSpotMarketStale: 'health',
  SolendReserveValidationFailed: 'health',
  SolendReserveStale: 'health',
  JuplendLendingValidationFailed: 'health',
  JuplendLendingStale: 'health',
};

export function limitOfError(error: ProgramErrorName): Limit {
  return LIMIT_OF_ERROR[error];
}
