import { amountAfterFee, amountBeforeFee, attemptRepay, type CapacityState } from '@lending/domain';
import type { LendingError } from '@lending/errors';
import { marginfiAccountLayout, tokenAccountLayout, WRAPPED_SOL_MINT } from '@lending/programs';
import { FROZEN_TOKEN_WORDS, refusalWordsOf } from '@lending/venues';
import type { LendingAction } from '#action.ts';
import { signatureFeeOf } from '#compile/signature-fee.ts';
import type { ActionState, LiveBank, WalletTokens } from '#live/action-state.ts';
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
  if (state.walletTokens?.isFrozen === true) return frozen(target, state.walletTokens);
  const isSol = target.mint.address === WRAPPED_SOL_MINT;
  const isPaidIn = action.kind === 'deposit' || action.kind === 'repay';
  const requiredBase = isPaidIn ? requiredOf(state, action, target, capacity) : 0n;
  const held = state.walletTokens?.amountBase ?? 0n;
  if (isSol) {
    const missing = requiredBase > held ? requiredBase - held : 0n;
    return findSolRefusal(state, {
      ...needOf(state, target, action, costs),
      movedLamports: missing,
      heldLamports: held,
    });
  }
  if (requiredBase > held) return tooFewTokens(target, requiredBase, held);
  return findSolRefusal(state, needOf(state, target, action, costs));
}

/** Of a token that the wallet has less of than is moved. */
export function tooFewTokens(target: LiveBank, requiredBase: bigint, heldBase: bigint): LendingError {
  const [required, available] = [tokensOf(target, requiredBase), tokensOf(target, heldBase)];
  // Venues take no tokens with a fee.
  const max = tokensOf(
    target,
    target.bank.venue === 'p0' ? amountAfterFee(target.mint.transferFee, heldBase) : heldBase,
  );
  const fee = max.raw === available.raw ? '' : " less the token's own fee on transfers";
  return refusalOf(
    refusalWordsOf('InsufficientFunds', 'deposit'),
    `at most ${max.ui} ${tokenName(target)}, which is what the wallet holds${fee}`,
    {
      max_amount: max.ui,
      max_amount_raw: max.raw,
      required: required.ui,
      required_raw: required.raw,
      available: available.ui,
      available_raw: available.raw,
      reserve: 0,
      mint: target.mint.address,
    },
  );
}

function needOf(
  state: ActionState,
  target: LiveBank | null,
  action: LendingAction | null,
  { feeLamports = signatureFeeOf(1, []), rentLamports = rentOf(state, target, action) }: WalletCosts,
): SolNeed {
  const passingLamports = passingRentOf(state, target);
  return { movedLamports: 0n, heldLamports: 0n, feeLamports, rentLamports, passingLamports };
}

/** Why the wallet cannot pay for opening an account and nothing else. */
export function findOpeningRefusal(state: ActionState, costs: WalletCosts = {}): LendingError | null {
  return findSolRefusal(state, needOf(state, null, null, costs));
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

/** What an action asks of the wallet's SOL, lamports. */
export interface SolNeed {
  /** Wrapped and moved. */
  readonly movedLamports: bigint;
  /** In the wallet's account of wrapped SOL, where that is what is moved. */
  readonly heldLamports: bigint;
  readonly feeLamports: bigint;
  /** Of accounts that stay. */
  readonly rentLamports: bigint;
  /** Of accounts that are closed again in the same transaction. */
  readonly passingLamports: bigint;
}

/** Why the wallet's SOL does not do. */
export function findSolRefusal(
  state: Pick<ActionState, 'lamports' | 'rentFor'>,
  { movedLamports, heldLamports, feeLamports, rentLamports, passingLamports }: SolNeed,
): LendingError | null {
  const reserve = movedLamports > 0n ? SOL_RESERVE_LAMPORTS : 0n;
  // A wallet that pays fees may not end below what keeps an empty account alive.
  const kept = reserve > 0n ? reserve : state.rentFor(0);
  const besides = feeLamports + rentLamports + passingLamports + kept;
  if (state.lamports >= movedLamports + besides) return null;
  const sol = (lamports: bigint) => shownAmount(lamports, SOL_DECIMALS);
  const spendable = state.lamports > besides ? state.lamports - besides : 0n;
  const [required, available] =
    movedLamports > 0n ? [movedLamports + heldLamports, spendable + heldLamports] : [besides, state.lamports];
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
  const isPaidOut = action?.kind === 'withdraw' || action?.kind === 'borrow';
  const { walletTokens } = state;
  const arrival =
    target === null || walletTokens === null || !isPaidOut ? 0n : rentOfTokens(state, target, walletTokens);
  return rentOfAccount(state) + arrival;
}

type Rents = Pick<ActionState, 'accounts' | 'rentFor'>;

/** Of the lending account, where it is created. */
export function rentOfAccount(state: Rents & Pick<ActionState, 'account'>): bigint {
  const { address, newIndex } = state.account;
  return newIndex === null ? 0n : rentToPay(state, address, marginfiAccountLayout.fixedSize);
}

/** Of a token account that is created for good; one of wrapped SOL is closed again. */
export function rentOfTokens(state: Rents, { mint }: LiveBank, { address, amountBase }: WalletTokens): bigint {
  if (amountBase !== null || mint.address === WRAPPED_SOL_MINT) return 0n;
  const bytes = tokenAccountSize(mint.tokenProgram, state.accounts.get(mint.address)?.data ?? new Uint8Array());
  return rentToPay(state, address, bytes);
}

function passingRentOf(state: ActionState, target: LiveBank | null): bigint {
  const { walletTokens } = state;
  return target === null || walletTokens === null ? 0n : passingRentOfTokens(state, target, walletTokens);
}

/** What an account for wrapped SOL takes until it is closed again in the same transaction. */
export function passingRentOfTokens(state: Rents, { mint }: LiveBank, { address, amountBase }: WalletTokens): bigint {
  const isMade = mint.address === WRAPPED_SOL_MINT && amountBase === null;
  return isMade ? rentToPay(state, address, tokenAccountLayout.fixedSize) : 0n;
}

/** Of a token account that its issuer froze. */
export function frozen(target: LiveBank, { address }: WalletTokens): LendingError {
  return refusalOf(FROZEN_TOKEN_WORDS, `a wallet whose account of ${tokenName(target)} is not frozen`, {
    mint: target.mint.address,
    token_account: address,
  });
}
