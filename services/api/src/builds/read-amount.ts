import { fromUiAmount, smallerOf, toUiAmount, U64_MAX } from '@lending/domain';
import { LendingError } from '@lending/errors';
import type { BuildWarning } from './build.ts';
import type { KnownBank } from './build-deps.ts';
import type { BuildRequest } from './build-request.ts';

/** What a request says of an amount that is not all there is. */
type Asked = Pick<BuildRequest, 'amountNumber'> & { readonly amount: string };

/**
 * A request's amount in base units of a bank's mint. A JSON number is rounded down to them, text is not. What does not fit into the
 * program's numbers is more than anything allows, and is refused as that.
 * @throws TOOL__INPUT_INVALID for text of more decimals than the mint has, and for nothing.
 */
export function readAmount(
  { amount, amountNumber }: Asked,
  { decimals }: Pick<KnownBank, 'decimals'>,
  callName: string,
): bigint {
  const refuse = (wrong: string, allowed: string) =>
    new LendingError('TOOL__INPUT_INVALID', {
      message: `amount ${wrong} — allowed: ${allowed} — correct it and call ${callName} again`,
      context: { field: 'amount', allowed },
    });
  let base: bigint;
  try {
    base = fromUiAmount(amount, decimals, amountNumber === undefined ? 'strict' : 'floor');
  } catch {
    // What is rounded can only be too large.
    if (amountNumber !== undefined) return U64_MAX;
    throw refuse('has more decimals than the token', `a number with at most ${decimals} decimals`);
  }
  if (base <= 0n) throw refuse('is less than a unit of the token', `at least ${toUiAmount(1n, decimals)} tokens`);
  return smallerOf(base, U64_MAX);
}

/** Shape: one warning where a request's amount came as a number that is not what was used of it, else none. */
export function roundedAmount(
  { amountNumber }: Pick<BuildRequest, 'amountNumber'>,
  used: bigint | 'all',
  { decimals }: Pick<KnownBank, 'decimals'>,
): readonly BuildWarning[] {
  if (amountNumber === undefined || used === 'all') return [];
  const amount = toUiAmount(used, decimals);
  if (amount === amountNumber) return [];
  return [
    {
      level: 'info',
      code: 'AMOUNT_ROUNDED',
      message: `amount ${amountNumber} was taken as ${amount}: of a number 15 digits count, and the token's decimals. Decimal text is taken as it stands.`,
    },
  ];
}
