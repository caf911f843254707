import type { OwnerTokenAccounts } from '@lending/chain';
import type { WalletUpdated } from '@lending/events';
import { type MintText, readHolding, type TokenHolding } from '@lending/venues';
import type { Address } from '@solana/kit';

/** What a message carries at most. */
const MAX_HOLDINGS = 1_000;

type NamedHolding = TokenHolding & { readonly tokenAccount: Address };

/** The token accounts of a wallet, read. Others are no holdings of it. */
export function holdingsOf(wallet: Address, { accounts }: OwnerTokenAccounts): readonly NamedHolding[] {
  return accounts.flatMap((account) => {
    const holding = readHolding(account);
    return holding?.owner === wallet ? [{ ...holding, tokenAccount: account.address }] : [];
  });
}

/** The largest of them where there are more than a message carries, in the order of their addresses. */
export function carriedHoldings(holdings: readonly NamedHolding[]): readonly NamedHolding[] {
  const byAddress = [...holdings].sort((a, b) => (a.tokenAccount < b.tokenAccount ? -1 : 1));
  if (byAddress.length <= MAX_HOLDINGS) return byAddress;
  const largest = byAddress.toSorted(
    (a, b) => Number(b.amountBase > a.amountBase) - Number(b.amountBase < a.amountBase),
  );
  const kept = new Set(largest.slice(0, MAX_HOLDINGS));
  return byAddress.filter((holding) => kept.has(holding));
}

/**
 * What a wallet holds, in the words of `wallet.updated`. A holding whose mint cannot be read is left out and counted: nobody can say
 * how much it is.
 */
export function describeWallet(
  wallet: Address,
  lamports: bigint,
  holdings: readonly NamedHolding[],
  mints: ReadonlyMap<Address, MintText>,
): WalletUpdated {
  const described = carriedHoldings(holdings).flatMap(({ tokenAccount, mint, tokenProgram, amountBase, isFrozen }) => {
    const text = mints.get(mint);
    if (text === undefined) return [];
    const { decimals, symbol, name } = text;
    return [{ tokenAccount, mint, tokenProgram, decimals, amountBase: amountBase.toString(), isFrozen, symbol, name }];
  });
  return {
    wallet,
    lamports: lamports.toString(),
    holdings: described,
    holdingsLeftOut: holdings.length - described.length,
  };
}
