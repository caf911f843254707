import { editAccount, type Ledger } from '@lending/localnet';
import { type Bank, type BankArgs, bankLayout, MARGINFI_MAIN_GROUP, marginfiGroupLayout } from '@lending/programs';
import type { Address } from '@solana/kit';

/**
 * Changes a bank's terms as its administrator would.
 * @returns how to bring back the terms there were, and nothing else.
 */
export function editTerms(
  ledger: Ledger,
  address: Address,
  change: (config: Bank['config']) => BankArgs['config'],
): () => void {
  const before = readBank(ledger, address).config;
  const write = (config: BankArgs['config']) =>
    editAccount(ledger, bankLayout, address, (bank) => ({ ...bank, config }));
  write(change(before));
  return () => write(before);
}

/** Pauses the whole program, as its administrator can for half an hour. */
export function pauseProgram(ledger: Ledger): () => void {
  const before = ledger.account(MARGINFI_MAIN_GROUP);
  if (before === undefined) throw new TypeError('There is no group');
  const group = marginfiGroupLayout.decode(before.data);
  const panicStateCache = {
    ...group.panicStateCache,
    pauseFlags: 1,
    pauseStartTimestamp: ledger.unixTimestamp,
    lastCacheUpdate: ledger.unixTimestamp,
  };
  const write = (cache: typeof group.panicStateCache) =>
    editAccount(ledger, marginfiGroupLayout, MARGINFI_MAIN_GROUP, (now) => ({ ...now, panicStateCache: cache }));
  write(panicStateCache);
  return () => write(group.panicStateCache);
}

function readBank(ledger: Ledger, address: Address): Bank {
  const state = ledger.account(address);
  if (state === undefined) throw new TypeError(`There is no bank ${address}`);
  return bankLayout.decode(state.data);
}
