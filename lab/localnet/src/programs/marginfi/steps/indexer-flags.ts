import { ASSET_TAG, hasLiability, INTEGRATIONS, sideOf } from '@lending/domain';
import { type AccountState, activeBalancesOf } from '../state/account-state.ts';

const DAY = 86_400n;
/** Of the venues that have one. */
const VENUE_FLAGS = { kamino: 'hasKamino', drift: 'hasDrift', juplend: 'hasJuplend', solend: null } as const;

/**
 * Brings the flags that follow from the balances up to date.
 * @see marginfi-v2 type-crate/src/types/user_account.rs `sync_balance_derived`
 */
export function syncBalanceFlags(account: AccountState): void {
  const held = activeBalancesOf(account).filter((balance) => sideOf(balance) !== null);
  const debts = held.filter(hasLiability).length;
  const holds = (tag: number) => toByte(held.some((balance) => balance.bankAssetTag === tag));
  account.isEmpty = toByte(held.length === 0);
  account.isLendingOnly = toByte(held.length > 0 && debts === 0);
  account.isSingleBorrower = toByte(debts === 1);
  account.hasStaked = holds(ASSET_TAG.staked);
  for (const { venue, assetTag } of INTEGRATIONS) {
    const flag = VENUE_FLAGS[venue];
    if (flag !== null) account[flag] = holds(assetTag);
  }
  if (debts === 0) account.hasIsolated = 0;
}

/** After an instruction that changed balances. */
export function syncIndexerFlags(account: AccountState): void {
  syncBalanceFlags(account);
  account.wasActive30d = 1;
  account.wasActive60d = 1;
}

/** Only a pulse lets them lapse. */
export function ageActivityFlags(account: AccountState, idleSeconds: bigint): void {
  account.wasActive30d = toByte(idleSeconds <= 30n * DAY);
  account.wasActive60d = toByte(idleSeconds <= 60n * DAY);
}

export function toByte(value: boolean): number {
  return value ? 1 : 0;
}
