import {
  computeRequirement,
  findIsolatedViolation,
  type I80F48,
  isRaisedByEmode,
  parseI80F48,
  type Requirement,
  sideOf,
} from '@lending/domain';
import type { InvokeContext } from '#engine/program.ts';
import { check, type ErrorSite, err, findErrorSite } from '../error-sites.ts';
import { fail, numberOfError } from '../marginfi-error.ts';
import { UNITS_PER_BALANCE } from '../marginfi-units.ts';
import { type AccountState, hasFlag } from '../state/account-state.ts';
import type { HealthCache } from '../state/health-cache-state.ts';
import { runsSince } from '../version.ts';
import type { HealthAccounts } from './health-accounts.ts';
import { toFloat } from './to-float.ts';

const SOURCE = 'state/marginfi_account.rs';

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
  if (hasFlag(account, 'inFlashLoan')) fail(context, 'AccountInFlashloan', check(SOURCE, 627));
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
    const refused = balances[outcome.index];
    const isDebt = refused !== undefined && sideOf(refused) === 'liability';
    fail(context, outcome.error, siteOfRefusal(outcome.error, isDebt));
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
  if (assets < liabilities) fail(context, 'RiskEngineInitRejected');
  const violation = findIsolatedViolation(accounts.positions.map((position) => position.balance));
  if (violation !== null) fail(context, violation);
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
    fail(context, 'HealthyAccount');
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
  if (!isBankrupt) fail(context, 'AccountNotBankrupt');
}

/** An oracle's own error is raised again where the balance is valued. */
function siteOfRefusal(error: string, isDebt: boolean): ErrorSite | undefined {
  if (error === 'MathError') return undefined;
  return error === 'OracleMaxConfidenceExceeded' ? findErrorSite(error) : err(SOURCE, isDebt ? 1359 : 1294);
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
