import type { MarginfiErrorName } from '@lending/programs';

/**
 * Errors after which a pulse says that an oracle is at fault.
 * @see marginfi-v2 programs/marginfi/src/errors.rs `is_oracle_error`
 */
export const ORACLE_ERRORS: ReadonlySet<string> = new Set<MarginfiErrorName>([
  'WrongNumberOfOracleAccounts',
  'SwitchboardInvalidAccount',
  'PythPushInvalidAccount',
  'SwitchboardWrongAccountOwner',
  'PythPushInsufficientVerificationLevel',
  'WrongOracleAccountKeys',
  'PythPushStalePrice',
  'SwitchboardStalePrice',
  'StakePoolValidationFailed',
  'InvalidBankAccount',
  'MissingBankAccount',
  'MissingPythAccount',
  'MissingPythOrBankAccount',
  'PythPushInvalidWindowSize',
  'OracleMaxConfidenceExceeded',
  'ZeroSupplyInStakePool',
  'ReserveStale',
  'SolendReserveStale',
  'DriftSpotMarketStale',
  'JuplendLendingStale',
]);
