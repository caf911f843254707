import type { Ledger } from '@lending/localnet';
import {
  type Bank,
  type BankArgs,
  getBankDecoder,
  getBankEncoder,
  getMarginfiGroupDecoder,
  getMarginfiGroupEncoder,
  MARGINFI_MAIN_GROUP,
} from '@lending/programs';
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
  const write = (config: BankArgs['config']) => {
    const state = ledger.account(address);
    if (state === undefined) throw new TypeError(`There is no bank ${address}`);
    const data = new Uint8Array(getBankEncoder().encode({ ...getBankDecoder().decode(state.data), config }));
    ledger.writeAccount(address, { ...state, data });
  };
  write(change(before));
  return () => write(before);
}

/** Pauses the whole program, as its administrator can for half an hour. */
export function pauseProgram(ledger: Ledger): () => void {
  const before = ledger.account(MARGINFI_MAIN_GROUP);
  if (before === undefined) throw new TypeError('There is no group');
  const group = getMarginfiGroupDecoder().decode(before.data);
  const panicStateCache = {
    ...group.panicStateCache,
    pauseFlags: 1,
    pauseStartTimestamp: ledger.unixTimestamp,
    lastCacheUpdate: ledger.unixTimestamp,
  };
  const data = new Uint8Array(getMarginfiGroupEncoder().encode({ ...group, panicStateCache }));
  ledger.writeAccount(MARGINFI_MAIN_GROUP, { ...before, data });
  return () => {
    const now = ledger.account(MARGINFI_MAIN_GROUP);
    if (now === undefined) return;
    const later = getMarginfiGroupDecoder().decode(now.data);
    const calm = { ...later, panicStateCache: group.panicStateCache };
    ledger.writeAccount(MARGINFI_MAIN_GROUP, { ...now, data: new Uint8Array(getMarginfiGroupEncoder().encode(calm)) });
  };
}

function readBank(ledger: Ledger, address: Address): Bank {
  const state = ledger.account(address);
  if (state === undefined) throw new TypeError(`There is no bank ${address}`);
  return getBankDecoder().decode(state.data);
}
