import { amountBeforeFee, attemptRepay, type CapacityState } from '@lending/domain';
import type { LendingError } from '@lending/errors';
import { MARGINFI_ACCOUNT_SIZE, TOKEN_ACCOUNT_SIZE, WRAPPED_SOL_MINT } from '@lending/programs';
import { FROZEN_TOKEN_WORDS, refusalWordsOf } from '@lending/venues';
import type { LendingAction } from '#action.ts';
import { signatureFeeOf } from '#compile/signature-fee.ts';
import type { ActionState, LiveBank } from '#live/action-state.ts';
import { debtToFund } from '#plan/debt-to-fund.ts';
import { rentToPay } from '#plan/rent-to-pay.ts';
import { tokenAccountSize } from '#plan/token-account-size.ts';
import { refusalOf, tokenName, tokensOf } from './refusal.ts';
import { shownAmount } from './shown-amount.ts';

/** What a build knows to cost lamports besides what is moved. */
export interface WalletCosts {
  /** Network, priority and tip. Default: one signature. */
  readonly feeLamports?: bigint;
  /** What the accounts keep that are created for good. Default: those that the action is known to need. */
  readonly rentLamports?: bigint;
}

/** Stays in the wallet when it pays in SOL, so that the next transaction can be paid for. */
export const SOL_RESERVE_LAMPORTS = 10_000_000n;
const SOL_DECIMALS = 9;

/**
 * Why the wallet cannot pay for an action: its tokens, its SOL, or a token account that is frozen.
 * Native SOL pays for wrapped: what the wallet's token account holds counts too, and the reserve stays.
 */
export function findWalletRefusal(
  state: ActionState,
  action: LendingAction,
  target: LiveBank,
  capacity: CapacityState,
  costs: WalletCosts = {},
): LendingError | null {
  if (state.walletTokens?.isFrozen === true) return frozen(state, target);
  const isSol = target.mint.address === WRAPPED_SOL_MINT;
  const isPaidIn = action.kind === 'deposit' || action.kind === 'repay';
  const requiredBase = isPaidIn ? requiredOf(state, action, target, capacity) : 0n;
  const held = state.walletTokens?.amountBase ?? 0n;
  if (isSol) {
    const missing = requiredBase > held ? requiredBase - held : 0n;
    return findSolRefusal(state, missing, { costs, target, held, action });
  }
  if (requiredBase > held) {
    const [required, available] = [tokensOf(target, requiredBase), tokensOf(target, held)];
    return refusalOf(
      refusalWordsOf('InsufficientFunds', action.kind),
      `at most ${available.ui} ${tokenName(target)}, which is what the wallet holds`,
      {
        required: required.ui,
        required_raw: required.raw,
        available: available.ui,
        available_raw: available.raw,
        reserve: 0,
        mint: target.mint.address,
      },
    );
  }
  return findSolRefusal(state, 0n, { costs, target, held: 0n, action });
}

/** Why the wallet cannot pay for opening an account and nothing else. */
export function findOpeningRefusal(state: ActionState, costs: WalletCosts = {}): LendingError | null {
  return findSolRefusal(state, 0n, { costs, target: null, held: 0n, action: null });
}

/** Tokens that leave the wallet, a token's own fee on transfers included. */
function requiredOf(
  state: ActionState,
  { kind, amount }: LendingAction,
  { bank, mint }: LiveBank,
  capacity: CapacityState,
): bigint {
  if (amount !== 'all') {
    return bank.venue === 'p0' ? (amountBeforeFee(mint.transferFee, amount) ?? amount) : amount;
  }
  // Wrapped for what the debt will be in some minutes; from tokens that are there the program takes what it is then.
  if (kind === 'repay' && mint.address === WRAPPED_SOL_MINT) return debtToFund(state);
  const outcome = attemptRepay(capacity, 'all');
  return outcome.kind === 'done' ? outcome.vaultFlowBase : 0n;
}

function findSolRefusal(
  state: ActionState,
  movedLamports: bigint,
  {
    costs,
    target,
    held,
    action,
  }: {
    readonly costs: WalletCosts;
    readonly target: LiveBank | null;
    readonly held: bigint;
    readonly action: LendingAction | null;
  },
): LendingError | null {
  const { feeLamports = signatureFeeOf(1, []), rentLamports = rentOf(state, target, action) } = costs;
  const reserve = movedLamports > 0n ? SOL_RESERVE_LAMPORTS : 0n;
  // A wallet that pays fees may not end below what keeps an empty account alive.
  const kept = reserve > 0n ? reserve : state.rentFor(0);
  const besides = feeLamports + rentLamports + passingRentOf(state, target) + kept;
  if (state.lamports >= movedLamports + besides) return null;
  const sol = (lamports: bigint) => shownAmount(lamports, SOL_DECIMALS);
  const spendable = state.lamports > besides ? state.lamports - besides : 0n;
  const [required, available] =
    movedLamports > 0n ? [movedLamports + held, spendable + held] : [besides, state.lamports];
  const allowed =
    movedLamports > 0n
      ? `at most ${sol(available).ui} SOL, with ${sol(reserve).ui} SOL, rents and fees kept in the wallet`
      : `a wallet with at least ${sol(besides).ui} SOL for rents and fees`;
  return refusalOf(NO_LAMPORTS, allowed, {
    required: sol(required).ui,
    required_raw: sol(required).raw,
    available: sol(available).ui,
    available_raw: sol(available).raw,
    reserve: sol(reserve).ui,
    rent: sol(rentLamports).ui,
    fees: sol(feeLamports).ui,
    mint: WRAPPED_SOL_MINT,
  });
}

const NO_LAMPORTS = {
  code: 'ACTION__BALANCE_EXCEEDED',
  problem: 'The wallet has too little SOL for what is moved, rents and fees',
  change: 'Fund the wallet with SOL, or lower `amount`; `svc_get_wallet` shows what it holds',
} as const;

/** Accounts that stay: the lending account, and the token account that a payout arrives in. */
function rentOf(state: ActionState, target: LiveBank | null, action: LendingAction | null): bigint {
  const { address, newIndex } = state.account;
  const opening = newIndex === null ? 0n : rentToPay(state, address, MARGINFI_ACCOUNT_SIZE);
  if (target === null || target.mint.address === WRAPPED_SOL_MINT) return opening;
  const isPaidOut = action?.kind === 'withdraw' || action?.kind === 'borrow';
  const { walletTokens } = state;
  if (!isPaidOut || walletTokens?.amountBase !== null) return opening;
  const mint = state.accounts.get(target.mint.address)?.data ?? new Uint8Array();
  return opening + rentToPay(state, walletTokens.address, tokenAccountSize(target.mint.tokenProgram, mint));
}

/** What an account for wrapped SOL takes until it is closed again in the same transaction. */
function passingRentOf(state: ActionState, target: LiveBank | null): bigint {
  const { walletTokens } = state;
  const isMade = target?.mint.address === WRAPPED_SOL_MINT && walletTokens?.amountBase === null;
  return isMade ? rentToPay(state, walletTokens.address, TOKEN_ACCOUNT_SIZE) : 0n;
}

function frozen(state: ActionState, target: LiveBank): LendingError {
  return refusalOf(FROZEN_TOKEN_WORDS, `a wallet whose account of ${tokenName(target)} is not frozen`, {
    mint: target.mint.address,
    token_account: state.walletTokens?.address ?? null,
  });
}
