import type { Ledger } from '@lending/localnet';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import { readHolding } from '@lending/venues';
import type { Address } from '@solana/kit';

/** What is in each token account of the chain, base units. */
export type TokenHolders = ReadonlyMap<Address, Holder>;

interface Holder {
  readonly mint: Address;
  readonly owner: Address;
  readonly base: bigint;
}

/** Who holds what right now, also what is not confirmed yet. */
export function tokenHolders(ledger: Ledger): TokenHolders {
  const holders = new Map<Address, Holder>();
  for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM])
    for (const [address, state] of ledger.accountsOwnedBy(program, 'processed')) {
      const holding = readHolding({ address, ...state });
      if (holding === null) continue;
      holders.set(address, { mint: holding.mint, owner: holding.owner, base: holding.amountBase });
    }
  return holders;
}

/** How much more of a mint these accounts hold; who was or is not there holds nothing. */
export function gained(
  before: TokenHolders,
  after: TokenHolders,
  mint: Address,
  isCounted: (address: Address, owner: Address) => boolean,
): bigint {
  const sum = (holders: TokenHolders) =>
    [...holders].reduce(
      (total, [address, holder]) =>
        holder.mint === mint && isCounted(address, holder.owner) ? total + holder.base : total,
      0n,
    );
  return sum(after) - sum(before);
}
