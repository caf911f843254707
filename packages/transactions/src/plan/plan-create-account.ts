import { marginfiAccountLayout } from '@lending/programs';
import type { Instruction } from '@solana/kit';
import { createAccount } from '#instructions/create-account.ts';
import type { ActionState } from '#live/action-state.ts';
import type { ActionPlan } from './action-plan.ts';
import { rentToPay } from './rent-to-pay.ts';

/** Opening a lending account and nothing else. */
export function planCreateAccount(state: ActionState): ActionPlan {
  return {
    type: 'CREATE_ACCOUNT',
    label: 'Create a lending account',
    setup: [],
    isSetupBound: false,
    refresh: [],
    action: openingOf(state),
    pulse: null,
    cleanup: [],
    rent: rentOf(state),
    watch: [state.account.address, state.authority],
  };
}

/** Opens the account that an action is to have and that is not there yet. */
export function openingOf({
  program,
  version,
  group,
  authority,
  account,
}: Pick<ActionState, 'program' | 'version' | 'group' | 'authority' | 'account'>): readonly Instruction[] {
  if (account.newIndex === null) return [];
  const { address, newIndex: index } = account;
  return [createAccount({ program, version, group: group.address, authority, account: address, index })];
}

export function rentOf(state: Pick<ActionState, 'account' | 'accounts' | 'rentFor'>): ActionPlan['rent'] {
  const { address, newIndex } = state.account;
  return newIndex === null ? [] : [{ address, lamports: rentToPay(state, address, marginfiAccountLayout.fixedSize) }];
}
