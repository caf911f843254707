import {
  computeRequirement,
  findIsolatedViolation,
  type I80F48,
  isRaisedByEmode,
  parseI80F48,
  type Requirement,
} from '@lending/domain';
import type { MarginfiErrorName } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { fail, numberOfError } from '../marginfi-error.ts';
import { UNITS_PER_BALANCE } from '../marginfi-units.ts';
import { type AccountState, type HealthCache, hasFlag } from '../state/account-state.ts';
import { runsSince } from '../version.ts';
import type { HealthAccounts } from './health-accounts.ts';

/** Weighted USD, raw I80F48. */
export interface HealthTotals {
  readonly assets: I80F48;
  readonly liabilities: I80F48;
}

/**
 * What an account's balances are worth at a requirement; notes in the cache what it finds, as far as it comes.
 * @throws AnchorError with what stops the program's risk engine.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `get_health_components`
 */
export function computeHealthTotals(
  context: InvokeContext,
  account: AccountState,
  { positions, failure }: HealthAccounts,
  requirement: Requirement,
  cache?: HealthCache,
): HealthTotals {
  if (hasFlag(account, 'inFlashLoan')) fail('AccountInFlashloan');
  context.consume(UNITS_PER_BALANCE * BigInt(positions.length));
  const balances = positions.map((position) => position.balance);
  const outcome = computeRequirement(balances, requirement);
  if (cache !== undefined && outcome.firstError !== null) {
    cache.fields.errIndex = outcome.firstError.index;
    cache.fields.internalErr = numberOfError(outcome.firstError.error);
  }
  if (cache !== undefined && requirement === 'initial') {
    for (const [index, { price }] of outcome.values.entries()) cache.setPrice(index, toFloat(price));
  }
  if (outcome.kind === 'refused') {
    fail(outcome.error);
  }
  if (failure !== null) throw failure;
  const { assets, liabilities } = outcome;
  if (requirement === 'maintenance' && runsSince(context, '0.1.12')) {
    cache?.setEmodeBoosted(isRaisedByEmode(balances));
  }
  if (cache !== undefined) writeTotals(cache, requirement, { assets, liabilities });
  return { assets, liabilities };
}

/**
 * The check after every borrow and withdrawal. In a flash loan there is none.
 * @returns the accounts it judged by; null in a flash loan.
 * @throws AnchorError RiskEngineInitRejected, IsolatedAccountIllegalState, or what stops the risk engine.
 */
export function assertInitialHealth(
  context: InvokeContext,
  account: AccountState,
  readAccounts: () => HealthAccounts,
  cache?: HealthCache,
): HealthAccounts | null {
  if (hasFlag(account, 'inFlashLoan')) return null;
  const accounts = readAccounts();
  const { assets, liabilities } = computeHealthTotals(context, account, accounts, 'initial', cache);
  cache?.setHealthy(assets >= liabilities);
  if (assets < liabilities) fail('RiskEngineInitRejected');
  const violation = findIsolatedViolation(accounts.positions.map((position) => position.balance));
  if (violation !== null) fail(violation);
  return accounts;
}

/**
 * An account's maintenance health, which must not be above zero for it to be liquidated.
 * @param mayBeHealthy asks for the number alone.
 * @throws AnchorError HealthyAccount, or what stops the risk engine.
 */
export function assertLiquidatable(
  context: InvokeContext,
  account: AccountState,
  accounts: HealthAccounts,
  { cache, mayBeHealthy = false }: { readonly cache?: HealthCache; readonly mayBeHealthy?: boolean } = {},
): HealthTotals & { readonly health: I80F48 } {
  const totals = computeHealthTotals(context, account, accounts, 'maintenance', cache);
  const health = totals.assets - totals.liabilities;
  cache?.setHealthy(health > 0n);
  if (health > 0n && !mayBeHealthy) {
    context.log(
      `pre_liquidation_health: ${toFloat(health)} (${toFloat(totals.assets)} - ${toFloat(totals.liabilities)})`,
    );
    fail('HealthyAccount');
  }
  return { ...totals, health };
}

/** Equity assets below this many USD are as good as none. */
const BANKRUPT_BELOW = parseI80F48('0.1');

/** @throws AnchorError AccountNotBankrupt, or what stops the risk engine. */
export function assertBankrupt(
  context: InvokeContext,
  account: AccountState,
  accounts: HealthAccounts,
  cache?: HealthCache,
): void {
  const { assets, liabilities } = computeHealthTotals(context, account, accounts, 'equity', cache);
  const isBankrupt = liabilities > 0n && assets < BANKRUPT_BELOW && liabilities > assets;
  if (!isBankrupt) fail('AccountNotBankrupt');
}

function writeTotals({ fields }: HealthCache, requirement: Requirement, { assets, liabilities }: HealthTotals): void {
  switch (requirement) {
    case 'initial':
      Object.assign(fields, { assetValue: assets, liabilityValue: liabilities });
      return;
    case 'maintenance':
      Object.assign(fields, { assetValueMaint: assets, liabilityValueMaint: liabilities });
      return;
    case 'equity':
      Object.assign(fields, { assetValueEquity: assets, liabilityValueEquity: liabilities });
      return;
  }
}

const SCALE = 2 ** 48;

/**
 * A fixed-point number as the double nearest to it, ties to even, as Rust's `to_num::<f64>` has it. For logs, events and the prices of
 * the health cache.
 */
export function toFloat(raw: I80F48): number {
  return Number(raw) / SCALE;
}

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
