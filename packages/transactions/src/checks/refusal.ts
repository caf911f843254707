import { symbolOfKnownMint } from '@lending/domain';
import { LendingError } from '@lending/errors';
import type { RefusalWords } from '@lending/venues';
import type { LiveBank } from '#live/action-state.ts';
import { type ShownAmount, shownAmount } from './shown-amount.ts';

/**
 * A refusal in the service's form: what was wrong — what would be allowed — the next call. `context` is what the caller finds under
 * `details`.
 */
export function refusalOf(
  { code, problem, change, details }: RefusalWords,
  allowed: string,
  context: Readonly<Record<string, unknown>>,
): LendingError {
  return new LendingError(code, {
    message: `${problem} — allowed: ${allowed} — ${change}`,
    context: { ...details, ...context },
  });
}

/** How the bank's token is called. */
export function tokenName({ bank }: LiveBank): string {
  return symbolOfKnownMint(bank.mint) ?? 'tokens of the bank';
}

export function tokensOf({ mint }: LiveBank, amountBase: bigint): ShownAmount {
  return shownAmount(amountBase, mint.decimals);
}
