import { JITO_TIP_ACCOUNTS } from '@lending/programs';
import { type AccountLookupMeta, type AccountMeta, type Address, type Instruction, isSignerRole } from '@solana/kit';
import type { LookupTables } from '#live/action-state.ts';

/** A table takes 34 bytes and one for every address, which takes 32 where it stands in the message: one address alone saves nothing. */
const MIN_ADDRESSES = 2;

type Place = Pick<AccountLookupMeta, 'addressIndex' | 'lookupTableAddress'>;

/**
 * Points instructions to lookup tables instead of addresses, where that makes the transaction smaller. The payer, signers and programs
 * have to stand in the message itself; so do tip accounts, which block builders look for there.
 */
export function useLookupTables(
  instructions: readonly Instruction[],
  payer: Address,
  tables: LookupTables,
): readonly Instruction[] {
  const places = placesOf(eligibleOf(instructions, payer), tables);
  if (places.size === 0) return instructions;
  return instructions.map((instruction) =>
    instruction.accounts === undefined
      ? instruction
      : { ...instruction, accounts: instruction.accounts.map((account) => toLookup(account, places)) },
  );
}

function eligibleOf(instructions: readonly Instruction[], payer: Address): Set<Address> {
  const accounts = instructions.flatMap((instruction) => instruction.accounts ?? []);
  const eligible = new Set(accounts.map(({ address }) => address));
  for (const { address, role } of accounts) if (isSignerRole(role)) eligible.delete(address);
  for (const { programAddress } of instructions) eligible.delete(programAddress);
  for (const address of [payer, ...JITO_TIP_ACCOUNTS]) eligible.delete(address);
  return eligible;
}

/** Takes the table that holds the most of what is left, until none saves anything. */
function placesOf(addresses: ReadonlySet<Address>, tables: LookupTables): ReadonlyMap<Address, Place> {
  const left = new Set(addresses);
  const unused = new Map(Object.entries(tables) as [Address, readonly Address[]][]);
  const places = new Map<Address, Place>();
  while (unused.size > 0) {
    const [best] = [...unused]
      .map(([table, entries]) => ({ table, entries, found: [...new Set(entries)].filter((entry) => left.has(entry)) }))
      .toSorted((a, b) => b.found.length - a.found.length);
    if (best === undefined || best.found.length < MIN_ADDRESSES) break;
    unused.delete(best.table);
    for (const address of best.found) {
      left.delete(address);
      places.set(address, { lookupTableAddress: best.table, addressIndex: best.entries.indexOf(address) });
    }
  }
  return places;
}

function toLookup(
  account: AccountMeta | AccountLookupMeta,
  places: ReadonlyMap<Address, Place>,
): AccountMeta | AccountLookupMeta {
  const place = places.get(account.address);
  if (place === undefined) return account;
  return { address: account.address, role: account.role, ...place } as AccountLookupMeta;
}
