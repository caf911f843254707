import type { ActionState, LiveBank, WalletTokens } from './action-state.ts';

/** A bank that a leverage action acts on, with the wallet's associated account of its mint. */
export interface PairedBank {
  readonly live: LiveBank;
  readonly tokens: WalletTokens;
}

/** Everything that one build of a loop or a close read. `held` has both banks in it where the account holds a balance in them. */
export interface LeverageState extends Omit<ActionState, 'target' | 'walletTokens'> {
  /** The deposit bank. */
  readonly collateral: PairedBank;
  /** The borrow bank. */
  readonly debt: PairedBank;
}

/** The same with one of the two as the only bank that is acted on: what checks and plans of single actions take. */
export function focusOn(state: LeverageState, side: 'collateral' | 'debt'): ActionState {
  const { collateral: _, debt: __, ...shared } = state;
  const { live, tokens } = state[side];
  return { ...shared, target: live, walletTokens: tokens };
}
