import { WRAPPED_SOL_MINT } from '@lending/programs';
import { type LiveAccounts, type LiveBank, momentOf, type WalletTokens } from '@lending/transactions';
import { oracleAccountsOf, readHolding, readPrice } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { TokenChange } from '../build.ts';

const SOL_DECIMALS = 9;

/** The wallet as a build read it. */
export interface WalletBefore {
  readonly authority: Address;
  readonly lamports: bigint;
}

/** The wallet's tokens of one mint, with a bank that prices them. */
export interface TokensBefore {
  readonly live: LiveBank;
  readonly tokens: WalletTokens;
  /** As it may be shown; null where it is on no list of ours. */
  readonly symbol: string | null;
}

/**
 * What the wallet has more or less of: its lamports, with fees and rents in them, and its tokens. What does not change is left out, and a
 * mint is told of once. Wrapped SOL that stays in its token account is a line of its own.
 */
export function tokenChanges(
  { authority, lamports }: WalletBefore,
  held: readonly TokensBefore[],
  after: LiveAccounts,
): readonly TokenChange[] {
  const mints = [...new Map(held.map((each) => [each.live.mint.address, each])).values()];
  const sol = mints.find(({ live }) => live.mint.address === WRAPPED_SOL_MINT);
  const native: TokenChange = {
    mint: WRAPPED_SOL_MINT,
    symbol: 'SOL',
    decimals: SOL_DECIMALS,
    isNativeSol: true,
    deltaBase: (after.get(authority)?.lamports ?? 0n) - lamports,
    priceUsd: sol === undefined ? null : priceOf(sol.live, after),
  };
  const tokens = mints.map(
    ({ live, tokens: { address, amountBase }, symbol }): TokenChange => ({
      mint: live.mint.address,
      symbol,
      decimals: live.mint.decimals,
      isNativeSol: false,
      deltaBase: amountOf(after, address) - (amountBase ?? 0n),
      priceUsd: priceOf(live, after),
    }),
  );
  return [...tokens, native].filter(({ deltaBase }) => deltaBase !== 0n);
}

/** USD of one token of a bank's mint, as its oracle has it once the build has cranked it; null without a price. */
export function priceOf({ bank }: LiveBank, accounts: LiveAccounts): string | null {
  const oracle = oracleAccountsOf(bank).map((each) => accounts.get(each) ?? null);
  const reading = readPrice(bank, oracle, momentOf(accounts));
  return reading.kind === 'priced' ? reading.priceUsd : null;
}

function amountOf(accounts: LiveAccounts, address: Address): bigint {
  const account = accounts.get(address);
  return account ? (readHolding(account)?.amountBase ?? 0n) : 0n;
}
