import { fromUiAmount, smallerOf, U64_MAX } from '@lending/domain';
import { LendingError } from '@lending/errors';
import type { KnownBank } from './build-deps.ts';

/**
 * Tokens as decimal text in base units of a bank's mint. What does not fit into the program's numbers is more than anything allows, and
 * is refused as that.
 * @throws TOOL__INPUT_INVALID for more decimals than the mint has, and for nothing.
 */
export function readAmount(text: string, { decimals }: Pick<KnownBank, 'decimals'>, callName: string): bigint {
  const refuse = (wrong: string, allowed: string) =>
    new LendingError('TOOL__INPUT_INVALID', {
      message: `amount ${wrong} — allowed: ${allowed} — correct it and call ${callName} again`,
      context: { field: 'amount', allowed },
    });
  let base: bigint;
  try {
    base = fromUiAmount(text, decimals);
  } catch {
    throw refuse('has more decimals than the token', `a number with at most ${decimals} decimals`);
  }
  if (base <= 0n) throw refuse('is not above zero', 'tokens above 0');
  return smallerOf(base, U64_MAX);
}
