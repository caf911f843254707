/**
 * Errors that have another name today. The ELF says `IllegalLiquidation` and `IllegalFlashloan` for many reasons that have names of
 * their own now; each maps to those it may be.
 */
const TODAY: Readonly<Record<string, readonly string[]>> = {
  IllegalLiquidation: [
    'ZeroLiquidationAmount',
    'SameAssetAndLiabilityBanks',
    'OverliquidationAttempt',
    'NoLiabilitiesInLiabilityBank',
    'AssetsInLiabilityBank',
    'HealthyAccount',
    'ExhaustedLiability',
    'TooSeverePayoff',
    'TooSevereLiquidation',
    'WorseHealthPostLiquidation',
    // What pays more than is owed: a repayment since 0.1.5, where it used to become a deposit that a later check refused.
    'OperationRepayOnly',
  ],
  StaleOracle: ['PythPushStalePrice'],
  InvalidOracleAccount: ['WrongOracleAccountKeys', 'PythPushInvalidAccount'],
};

/** Whether the ELF's error is what today's program calls so. */
export function isSameError(elf: string | null, today: string | null): boolean {
  if (elf === today) return true;
  return elf !== null && today !== null && (TODAY[elf] ?? []).includes(today);
}
