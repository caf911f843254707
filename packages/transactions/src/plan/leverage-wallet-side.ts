import { WRAPPED_SOL_MINT } from '@lending/programs';
import type { Instruction } from '@solana/kit';
import { createAssociatedAccount } from '#instructions/wallet/associated-account.ts';
import { closeWrappedSol, wrapSol } from '#instructions/wallet/wrapped-sol.ts';
import type { LeverageAction } from '#leverage.ts';
import type { LeverageState, PairedBank } from '#live/leverage-state.ts';
import { rentToPay } from './rent-to-pay.ts';
import { tokenAccountSize } from './token-account-size.ts';
import type { WalletSide } from './wallet-side.ts';

/**
 * The wallet's accounts of both mints, and its SOL. What is missing is created, for tokens arrive in both; what a loop's principal wants
 * more than the wallet's account of wrapped SOL holds is wrapped. An account of wrapped SOL that the plan created is closed at the end,
 * with what is left over in it; one that was there stays, and keeps it.
 */
export function planLeverageWalletSide(state: LeverageState, action: LeverageAction): WalletSide {
  const pair = new Map([state.collateral, state.debt].map((each) => [each.tokens.address, each]));
  const sides = [...pair.values()].map((each) => planSide(state, each));
  const wrapped = action.kind === 'loop' ? wrapPrincipal(state, action.principal) : [];
  return {
    setup: [...sides.flatMap(({ setup }) => setup), ...wrapped],
    cleanup: sides.flatMap(({ cleanup }) => cleanup),
    rent: sides.flatMap(({ rent }) => rent),
  };
}

function planSide(state: LeverageState, { live, tokens }: PairedBank): WalletSide {
  const { authority, accounts } = state;
  const { address: mint, tokenProgram } = live.mint;
  if (tokens.amountBase !== null) return { setup: [], cleanup: [], rent: [] };
  const setup = [createAssociatedAccount(authority, tokens.address, { owner: authority, mint, tokenProgram })];
  if (mint === WRAPPED_SOL_MINT) return { setup, cleanup: [closeWrappedSol(authority, tokens.address)], rent: [] };
  const bytes = tokenAccountSize(tokenProgram, accounts.get(mint)?.data ?? new Uint8Array());
  return { setup, cleanup: [], rent: [{ address: tokens.address, lamports: rentToPay(state, tokens.address, bytes) }] };
}

function wrapPrincipal({ authority, collateral }: LeverageState, principal: bigint): readonly Instruction[] {
  const { live, tokens } = collateral;
  const missing = principal - (tokens.amountBase ?? 0n);
  if (live.mint.address !== WRAPPED_SOL_MINT || missing <= 0n) return [];
  return wrapSol(authority, tokens.address, missing);
}
