import type { MarginfiErrorName } from '@lending/programs';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireToken, requireWritable } from '#programs/anchor/constraints.ts';
import { failCompared } from '../marginfi-error.ts';

/** Base units that keep a position open for good: venues close an empty one. */
const LEAST = 10n;

/** @throws AnchorError `error` when the deposit that opens a position is too small. */
export function requireFirstDeposit(
  amountBase: bigint,
  error: MarginfiErrorName,
  site: { readonly file: string; readonly line: number },
): void {
  if (amountBase < LEAST) failCompared(error, site, [amountBase, LEAST]);
}

/** The tokens of whoever pays. */
export function requirePayersTokens(
  tokens: NamedAccount,
  { mint, feePayer }: { readonly mint: NamedAccount; readonly feePayer: NamedAccount },
): void {
  requireWritable(tokens);
  requireToken(tokens, { mint, authority: feePayer });
}
