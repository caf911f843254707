import type { LendingError } from '@lending/errors';
import { WRAPPED_SOL_MINT } from '@lending/programs';
import { signatureFeeOf } from '#compile/signature-fee.ts';
import type { LeverageAction } from '#leverage.ts';
import type { LeverageState, PairedBank } from '#live/leverage-state.ts';
import { sentFor } from '#sizing/sent-for.ts';
import {
  findSolRefusal,
  frozen,
  passingRentOfTokens,
  rentOfAccount,
  rentOfTokens,
  tooFewTokens,
  type WalletCosts,
} from './wallet-check.ts';

/**
 * Why the wallet cannot pay for a loop or a close: the principal, SOL for fees and rents, or a token account that is frozen. Native SOL
 * pays for wrapped as it does for a deposit, and the reserve stays.
 */
export function findLeverageWalletRefusal(
  state: LeverageState,
  action: LeverageAction,
  costs: WalletCosts = {},
): LendingError | null {
  const { collateral } = state;
  const sides = sidesOf(state);
  const stopped = sides.find(({ tokens }) => tokens.isFrozen);
  if (stopped !== undefined) return frozen(stopped.live, stopped.tokens);
  const requiredBase = action.kind === 'loop' ? sentFor(collateral.live, action.principal) : 0n;
  const heldBase = collateral.tokens.amountBase ?? 0n;
  const missing = requiredBase > heldBase ? requiredBase - heldBase : 0n;
  const isSol = collateral.live.mint.address === WRAPPED_SOL_MINT;
  if (missing > 0n && !isSol) return tooFewTokens(collateral.live, requiredBase, heldBase);
  const { feeLamports = signatureFeeOf(1, []), rentLamports = rentOf(state) } = costs;
  return findSolRefusal(state, {
    movedLamports: missing,
    heldLamports: missing > 0n ? heldBase : 0n,
    feeLamports,
    rentLamports,
    passingLamports: sum(sides.map(({ live, tokens }) => passingRentOfTokens(state, live, tokens))),
  });
}

function rentOf(state: LeverageState): bigint {
  return rentOfAccount(state) + sum(sidesOf(state).map(({ live, tokens }) => rentOfTokens(state, live, tokens)));
}

/** Both token accounts, or the one that both banks share. */
function sidesOf({ collateral, debt }: LeverageState): readonly PairedBank[] {
  return collateral.tokens.address === debt.tokens.address ? [collateral] : [collateral, debt];
}

function sum(lamports: readonly bigint[]): bigint {
  return lamports.reduce((total, each) => total + each, 0n);
}
