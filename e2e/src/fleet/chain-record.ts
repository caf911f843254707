import type { AccountState, Ledger } from '@lending/localnet';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank, type P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';

/** What an account held from a slot on. */
export interface Version {
  readonly slot: bigint;
  readonly state: AccountState;
}

/** What the chain itself said, slot by slot, while it was listened to. */
export interface ChainRecord {
  /** Oldest first. */
  versionsOf(address: Address): readonly Version[];
  stateAt(address: Address, slot: bigint): AccountState | null;
  /** From here on all is known. */
  readonly firstSlot: bigint;
  stop(): void;
}

/** Keeps every confirmed state of the lending program's accounts, and of the vaults of its banks. */
export function recordChain(ledger: Ledger, banks: readonly P0Bank[]): ChainRecord {
  const versions = new Map<Address, Version[]>();
  const firstSlot = ledger.slot('confirmed');
  const note = (address: Address, slot: bigint, state: AccountState | undefined): void => {
    if (state === undefined) return;
    const known = versions.get(address);
    if (known === undefined) versions.set(address, [{ slot, state }]);
    else known.push({ slot, state });
  };
  const vaults = new Set(banks.map(({ liquidityVault }) => liquidityVault));
  for (const [address, state] of ledger.accountsOwnedBy(MARGINFI_PROGRAM, 'confirmed')) note(address, 0n, state);
  for (const vault of vaults) note(vault, 0n, ledger.account(vault, 'confirmed'));
  const stop = ledger.subscribe((event) => {
    if (event.kind !== 'changes' || event.commitment !== 'confirmed') return;
    for (const address of event.addresses) {
      const state = ledger.account(address, event.slot);
      if (state?.owner === MARGINFI_PROGRAM || vaults.has(address)) note(address, event.slot, state);
    }
  });
  const versionsOf = (address: Address) => versions.get(address) ?? [];
  return {
    versionsOf,
    stateAt: (address, slot) => versionsOf(address).findLast((version) => version.slot <= slot)?.state ?? null,
    firstSlot,
    stop,
  };
}

/** The group's banks as they are on the chain. */
export function banksOf(ledger: Ledger): readonly P0Bank[] {
  return [...ledger.accountsOwnedBy(MARGINFI_PROGRAM, 'confirmed')].flatMap(([address, { owner, data }]) => {
    try {
      return [decodeBank({ address, owner, data }, MARGINFI_PROGRAM)];
    } catch {
      // The program owns other accounts, too.
      return [];
    }
  });
}
