import type { Address } from '@solana/kit';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireSeeds } from '#programs/anchor/constraints.ts';

const text = new TextEncoder();

/** What the addresses of a bank's vaults and of their authorities are derived from. */
const SEEDS = {
  liquidityVault: text.encode('liquidity_vault'),
  liquidityVaultAuthority: text.encode('liquidity_vault_auth'),
  insuranceVault: text.encode('insurance_vault'),
  insuranceVaultAuthority: text.encode('insurance_vault_auth'),
} as const;

type VaultSeed = keyof typeof SEEDS;

export function requireVault(
  account: NamedAccount,
  kind: VaultSeed,
  { bank, bump, programId }: { readonly bank: NamedAccount; readonly bump: number; readonly programId: Address },
): void {
  requireSeeds(account, [SEEDS[kind], bank.account.key], bump, programId);
}

/** The seeds with which the program signs for a vault's authority. */
export function vaultSigner(kind: VaultSeed, bank: NamedAccount, bump: number): readonly Uint8Array[] {
  return [SEEDS[kind], bank.account.key, Uint8Array.of(bump)];
}
