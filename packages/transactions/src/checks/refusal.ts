import { type ProgramErrorName, symbolOfKnownMint } from '@lending/domain';
import { LendingError } from '@lending/errors';
import { MARGINFI_ERRORS, type MarginfiErrorName } from '@lending/programs';
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

/**
 * What `details` say of the error that the program would end in, as they do of one that a simulation ended in: nothing was run, so there are
 * no logs.
 */
export function programErrorOf(
  { program }: { readonly program: string },
  error: ProgramErrorName | MarginfiErrorName,
  { problem }: RefusalWords,
): Readonly<Record<string, unknown>> {
  const isOwn = Object.hasOwn(MARGINFI_ERRORS, error);
  const number = isOwn ? MARGINFI_ERRORS[error as MarginfiErrorName] : null;
  return { cause: { program: isOwn ? program : null, error, number, reason: problem }, logs: [] };
}

/** How the bank's token is called. */
export function tokenName({ bank }: LiveBank): string {
  return symbolOfKnownMint(bank.mint) ?? 'tokens of the bank';
}

export function tokensOf({ mint }: LiveBank, amountBase: bigint): ShownAmount {
  return shownAmount(amountBase, mint.decimals);
}
