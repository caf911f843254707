import { WRAPPED_SOL_MINT } from '@lending/programs';
import type { Instruction } from '@solana/kit';
import type { LendingAction } from '#action.ts';
import { createAssociatedAccount } from '#instructions/wallet/associated-account.ts';
import { closeWrappedSol, wrapSol } from '#instructions/wallet/wrapped-sol.ts';
import type { ActionState, LiveBank, WalletTokens } from '#live/action-state.ts';
import type { ActionPlan } from './action-plan.ts';
import { debtToFund } from './debt-to-fund.ts';
import { rentToPay } from './rent-to-pay.ts';
import { tokenAccountSize } from './token-account-size.ts';

/** What an action takes on the wallet's side: before it, after it, and the rent that stays. */
export type WalletSide = Pick<ActionPlan, 'setup' | 'cleanup' | 'rent'>;

/** The action's bank and the wallet's account of its mint, both of which an action on a bank has. */
export interface WalletOfAction {
  readonly state: ActionState;
  readonly action: LendingAction;
  readonly target: LiveBank;
  readonly tokens: WalletTokens;
}

/**
 * The wallet's token account, and its SOL. An account is created only where it is missing and tokens arrive in it.
 *
 * SOL is the wallet's own SOL, in and out. What a deposit or a repayment wants more than the wallet's account of wrapped SOL holds is
 * wrapped; what was wrapped before is used first. What a withdrawal or a loan pays is unwrapped by closing the account, which is the only
 * way the token program has; what its owner kept wrapped there is put back at once, in the same transaction, into an account created
 * anew. An account that the plan created is closed again; one that was there stays as it was, except that what is left over of a
 * repayment of everything is unwrapped where nothing else was in it.
 */
export function planWalletSide(wallet: WalletOfAction): WalletSide {
  return wallet.target.mint.address === WRAPPED_SOL_MINT ? planSol(wallet) : planTokens(wallet);
}

function planTokens(wallet: WalletOfAction): WalletSide {
  const { state, action, target, tokens } = wallet;
  if (isPaidByWallet(action) || tokens.amountBase !== null) return { setup: [], cleanup: [], rent: [] };
  const { address, tokenProgram } = target.mint;
  const bytes = tokenAccountSize(tokenProgram, state.accounts.get(address)?.data ?? new Uint8Array());
  return {
    setup: [createTokenAccount(wallet)],
    cleanup: [],
    rent: [{ address: tokens.address, lamports: rentToPay(state, tokens.address, bytes) }],
  };
}

/** Its rent is no rent of the plan's: an account that is created is closed again. */
function planSol(wallet: WalletOfAction): WalletSide {
  const { state, action, tokens } = wallet;
  const [missing, close] = [lamportsToWrap(wallet), closeWrappedSol(state.authority, tokens.address)];
  const create = tokens.amountBase === null ? [createTokenAccount(wallet)] : [];
  const wrap = missing > 0n ? wrapSol(state.authority, tokens.address, missing) : [];
  return {
    setup: [...create, ...wrap],
    cleanup: isClosed(action, tokens) ? [close, ...keepWrapped(wallet)] : [],
    rent: [],
  };
}

function isClosed(action: LendingAction, { amountBase }: WalletTokens): boolean {
  if (!isPaidByWallet(action)) return true;
  return amountBase === null || (amountBase === 0n && action.amount === 'all');
}

/** Wrapped SOL that was there before a payout. */
function keepWrapped(wallet: WalletOfAction): readonly Instruction[] {
  const { state, action, tokens } = wallet;
  if (isPaidByWallet(action) || tokens.amountBase === null || tokens.amountBase === 0n) return [];
  return [createTokenAccount(wallet), ...wrapSol(state.authority, tokens.address, tokens.amountBase)];
}

function lamportsToWrap({ state, action, tokens }: WalletOfAction): bigint {
  if (!isPaidByWallet(action)) return 0n;
  const needed = action.amount === 'all' ? debtToFund(state) : action.amount;
  const missing = needed - (tokens.amountBase ?? 0n);
  return missing > 0n ? missing : 0n;
}

function createTokenAccount({ state, target, tokens }: WalletOfAction): Instruction {
  const { address: mint, tokenProgram } = target.mint;
  const holding = { owner: state.authority, mint, tokenProgram };
  return createAssociatedAccount(state.authority, tokens.address, holding);
}

function isPaidByWallet({ kind }: LendingAction): boolean {
  return kind === 'deposit' || kind === 'repay';
}
