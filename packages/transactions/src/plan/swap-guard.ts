import { createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferCheckedInstruction } from '@solana-program/token';
import { bareInstruction } from '#instructions/wallet/bare-instruction.ts';
import type { SizedLeverage } from '#leverage.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import { sentFor } from '#sizing/sent-for.ts';
import { swapSidesOf } from '#sizing/swap-sides.ts';
import { bindsItself } from '#swaps/checks/check-terms.ts';

/**
 * Holds a swap to its minimum when it lands. The deposit or repayment behind it does so alone where the wallet holds nothing more: with more,
 * that would be taken for what the swap failed to give. So as much as must be there by then is moved from the token account to itself, which
 * changes nothing and fails where it holds less. Instructions that bind themselves need none.
 * @see SPL Token's processor, `process_transfer`: the balance is looked at before a transfer to itself ends.
 */
export function guardSwap(state: LeverageState, sized: SizedLeverage): readonly Instruction[] {
  const { swap } = sized;
  const sides = swapSidesOf(state, sized.kind);
  if (swap === null || sides === null || swap.swap.every(bindsItself)) return [];
  const [, { live, tokens }] = sides;
  const held = tokens.amountBase ?? 0n;
  if (held <= broughtBase(state, sized)) return [];
  const { address: mint, decimals, tokenProgram } = live.mint;
  const authority = createNoopSigner(state.authority);
  const [source, destination] = [tokens.address, tokens.address];
  const amount = held + swap.quote.minOutBase;
  return [
    bareInstruction(
      getTransferCheckedInstruction(
        { source, mint, destination, authority, amount, decimals },
        { programAddress: tokenProgram },
      ),
    ),
  ];
}

/** What the action takes of the wallet's own: a loop's principal. */
function broughtBase({ collateral }: LeverageState, sized: SizedLeverage): bigint {
  return sized.kind === 'loop' ? sentFor(collateral.live, sized.principal) : 0n;
}
