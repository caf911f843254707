import {
  type BalanceChange,
  type BalanceShares,
  type BankLedger,
  COSTLY_LIMIT,
  findAssetTagViolation,
  findSlotViolation,
  hasLiability,
  type Refusal,
  VENUE_LIMIT,
} from '@lending/domain';
import { readAddress } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader } from '#programs/anchor/account-reader.ts';
import { type ErrorSite, err } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import type { AccountState } from '../state/account-state.ts';
import { activeBalancesOf, type BalanceState, findBalance, openBalance } from '../state/balance-state.ts';
import { readLedger, writeLedger } from '../state/bank-ledger.ts';
import type { BankState } from '../state/bank-state.ts';
import { runsSince } from '../version.ts';
import { claimPremium, forgivePremium } from './premiums.ts';

/** @throws AnchorError AssetTagMismatch when staked collateral would lie beside anything but SOL. */
export function assertTagsMix(context: InvokeContext, account: AccountState, bank: Pick<BankState, 'assetTag'>): void {
  const violation = findAssetTagViolation(heldSlotsOf(account), bank.assetTag);
  if (violation !== null) fail(context, violation);
}

/** @throws AnchorError BankAccountNotFound */
export function requireBalance(context: InvokeContext, account: AccountState, bank: Loader<BankState>): BalanceState {
  return findBalance(account, bank.account.key) ?? fail(context, 'BankAccountNotFound');
}

/** @throws AnchorError LendingAccountBalanceSlotsFull or CostlyPositionLimitExceeded */
export function openOrFindBalance(
  context: InvokeContext,
  account: AccountState,
  bank: Loader<BankState>,
): BalanceState {
  const found = findBalance(account, bank.account.key);
  if (found !== undefined) return found;
  const { assetTag } = bank.load();
  const violation = findSlotViolation(
    heldSlotsOf(account),
    { bank: bank.account.address, assetTag },
    runsSince(context, '0.1.12') ? COSTLY_LIMIT : VENUE_LIMIT,
  );
  if (violation !== null) fail(context, violation);
  const opened = openBalance(account, {
    bank: bank.account.key,
    assetTag,
    unixTimestamp: context.slot.unixTimestamp,
  });
  return opened ?? fail(context, 'LendingAccountBalanceSlotsFull', err('state/marginfi_account.rs', 1554));
}

/**
 * Changes a balance and its bank's books. The premium that it owes until now is claimed before, and forgiven where no debt is left.
 * @param site where the program says that a debt may not be so small.
 * @throws AnchorError with what the change is refused for.
 */
export function changeBalance<Change extends BalanceChange<BankLedger>>(
  context: InvokeContext,
  bank: BankState,
  balance: BalanceState,
  change: (ledger: BankLedger, balance: BalanceShares) => Change | Refusal,
  site?: ErrorSite,
): Change {
  const owedBefore = balance.liabilityShares;
  claimPremium(context, bank, balance);
  const changed = change(readLedger(bank), balance);
  if (changed.kind === 'refused') {
    return fail(context, changed.error, changed.error === 'IllegalBalanceState' ? site : undefined);
  }
  writeLedger(bank, changed.bank);
  balance.assetShares = changed.balance.assetShares;
  balance.liabilityShares = changed.balance.liabilityShares;
  const isCleared = balance.liabilityShares < owedBefore && !hasLiability(balance);
  if (isCleared && runsSince(context, '0.1.12')) forgivePremium(balance);
  return changed;
}

function heldSlotsOf(account: AccountState) {
  return activeBalancesOf(account).map((balance) => ({
    bank: readAddress(balance.bankPk),
    assetTag: balance.bankAssetTag,
  }));
}
