/**
 * klend's errors that refreshes, deposits and withdrawals end in, by their own names.
 * @see klend programs/klend/src/lib.rs `LendingError`
 */
export const KLEND_ERRORS = {
  InvalidAmount: 6003,
  InvalidAccountInput: 6006,
  MathOverflow: 6007,
  InsufficientLiquidity: 6008,
  ReserveStale: 6009,
  ObligationStale: 6017,
  ObligationReserveLimit: 6018,
  ObligationDepositsEmpty: 6020,
  InvalidObligationCollateral: 6024,
  ObligationCollateralEmpty: 6026,
  InvalidOracleConfig: 6029,
  GlobalEmergencyMode: 6042,
  PriceNotValid: 6044,
  IncorrectInstructionInPosition: 6051,
  InvalidTwapConfig: 6053,
  InvalidPythPriceAccount: 6054,
  InvalidSwitchboardAccount: 6055,
  InvalidScopePriceAccount: 6056,
  WithdrawalCapReached: 6064,
  LastTimestampGreaterThanCurrent: 6065,
  ReserveDeprecated: 6073,
  CpiDisabled: 6080,
  ReserveObsolete: 6082,
  ObligationInObsoleteReserve: 6084,
  DepositLimitExceeded: 6090,
  NetValueRemainingTooSmall: 6092,
  ReserveTokenBalanceMismatch: 6095,
  UnsupportedTokenExtension: 6108,
  FarmAccountsMissing: 6120,
  CTokenUsageBlocked: 6132,
  ReserveEmergencyMode: 6175,
  MissingPermissioner: 6183,
} as const;

export type KlendErrorName = keyof typeof KLEND_ERRORS;
