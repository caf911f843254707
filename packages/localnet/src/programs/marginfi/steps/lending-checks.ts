import { ASSET_TAG } from '@lending/domain';
import type { MarginfiErrorName } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { requireConstraint, requireHasOne } from '../constraints.ts';
import { type AccountState, hasFlag } from '../state/account-state.ts';
import type { BankState } from '../state/bank-state.ts';
import { type GroupState, isPaused } from '../state/group-state.ts';
import { type AllowedHolder, isNotFrozenFor, isSignerAuthorized } from './authority.ts';

type Group = Loader<GroupState>;
type Account = Loader<AccountState>;
type Bank = Loader<BankState>;

/** @param mayPass what may act in spite of a pause. */
export function checkNotPaused(context: InvokeContext, group: Group, mayPass = false): void {
  const isMet = mayPass || !isPaused(group.load(), context.slot.unixTimestamp);
  requireConstraint(group, isMet, 'ProtocolPaused');
}

/** The constraints on an account that its owner acts on. `extra` stands where the program has it: before the signer is looked at. */
export function checkAccount(
  account: Account,
  { group, authority }: { readonly group: Group; readonly authority: NamedAccount },
  {
    allowsHolder,
    extra,
  }: {
    readonly allowsHolder: AllowedHolder;
    readonly extra?: { readonly isMet: (state: AccountState) => boolean; readonly error: MarginfiErrorName };
  },
): void {
  requireWritable(account);
  const state = account.load();
  requireHasOne(account, state.group, group, 'InvalidGroup');
  if (extra !== undefined) requireConstraint(account, extra.isMet(state), extra.error);
  requireConstraint(account, isNotFrozenFor(state, authority.account.key), 'AccountFrozen');
  const isAuthorized = isSignerAuthorized(state, group.load(), authority.account.key, { allowsHolder });
  requireConstraint(account, isAuthorized, 'Unauthorized');
}

/** The constraints on a bank of P0's own. */
export function checkBank(bank: Bank, group: Group, liquidityVault?: NamedAccount): void {
  requireWritable(bank);
  const state = bank.load();
  requireHasOne(bank, state.group, group, 'InvalidGroup');
  if (liquidityVault !== undefined) {
    requireHasOne(bank, state.liquidityVault, liquidityVault, 'InvalidLiquidityVault');
  }
  requireConstraint(bank, isOwnTag(state.assetTag), 'WrongAssetTagForStandardInstructions');
}

export const IS_DISABLED = {
  isMet: (state: AccountState) => !hasFlag(state, 'disabled'),
  error: 'AccountDisabled',
} as const;

/** Banks whose tokens lie in the program's own vault. */
function isOwnTag(assetTag: number): boolean {
  return assetTag === ASSET_TAG.default || assetTag === ASSET_TAG.sol || assetTag === ASSET_TAG.staked;
}
