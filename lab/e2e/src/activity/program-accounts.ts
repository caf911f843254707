import type { Ledger } from '@lending/localnet';
import { bankLayout, MARGINFI_PROGRAM, marginfiAccountLayout } from '@lending/programs';
import { type AccountBytes, decodeBank, decodeMarginfiAccount } from '@lending/venues';
import type { Address } from '@solana/kit';

/** Raw shares of every balance on the chain at `confirmed`, by `account bank side`. */
export function sharesIn(ledger: Ledger): ReadonlyMap<string, bigint> {
  const accounts = accountsOf(ledger, marginfiAccountLayout.discriminator).map((bytes) =>
    decodeMarginfiAccount(bytes, MARGINFI_PROGRAM),
  );
  return new Map(
    accounts.flatMap(({ address, balances }) =>
      balances.flatMap(({ bank, assetShares, liabilityShares }) => [
        [`${address} ${bank} lend`, assetShares] as const,
        [`${address} ${bank} borrow`, liabilityShares] as const,
      ]),
    ),
  );
}

/** The vaults of the banks that hold their tokens themselves. */
export function vaultsIn(ledger: Ledger): ReadonlyMap<Address, Address> {
  const banks = accountsOf(ledger, bankLayout.discriminator).map((bytes) => decodeBank(bytes, MARGINFI_PROGRAM));
  return new Map(
    banks.filter(({ venue }) => venue === 'p0').map(({ address, liquidityVault }) => [address, liquidityVault]),
  );
}

function accountsOf(ledger: Ledger, discriminator: Uint8Array): readonly AccountBytes[] {
  return [...ledger.accountsOwnedBy(MARGINFI_PROGRAM, 'confirmed')]
    .filter(([, { data }]) => discriminator.every((byte, at) => data[at] === byte))
    .map(([address, { owner, data }]) => ({ address, owner, data }));
}
