import { getAddressBytes, MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { ACCOUNT_SPACE, initializeAccount } from '#programs/marginfi/instructions/accounts.ts';
import { balancesOf, MARGINFI_ACCOUNT } from '#programs/marginfi/state/account-state.ts';
import { syncIndexerFlags } from '#programs/marginfi/steps/indexer-flags.ts';
import { accountOf } from './account-state.ts';

/** One balance of a made account: raw I80F48 shares on one of the sides. */
export interface MadeBalance {
  readonly bank: { readonly address: Address; readonly assetTag: number };
  readonly side: 'assets' | 'liabilities';
  readonly shares: bigint;
  /** Joins it to standing orders; 0 to none. */
  readonly tag?: number;
  /** A debt's: its encoded rate, and what it owes of it already, raw I80F48 base units. */
  readonly premium?: { readonly rate: number; readonly outstanding: bigint };
}

export interface MadeAccount {
  /** The wallet's 32 bytes. */
  readonly authority: Uint8Array;
  readonly unixTimestamp: bigint;
  readonly balances: readonly MadeBalance[];
  /** Of an address that is derived from the authority with index 0. */
  readonly bump?: number;
  readonly activeOrders?: number;
}

/**
 * A lending account as the program would have left it, written into the genesis without any instruction. Its shares are not added to the
 * banks' totals: they are a part of them, which belonged to nobody until now.
 */
export function madeAccount({
  authority,
  unixTimestamp,
  balances,
  bump = 0,
  activeOrders = 0,
}: MadeAccount): AccountState {
  const account = accountOf(MARGINFI_PROGRAM, new Uint8Array(ACCOUNT_SPACE));
  account.data.set(MARGINFI_ACCOUNT.discriminator);
  const state = MARGINFI_ACCOUNT.view(account.data);
  const group = getAddressBytes(MARGINFI_MAIN_GROUP);
  initializeAccount(state, { group, authority }, unixTimestamp);
  // As the program sorts them. One pass over the slots: a crowd has a hundred thousand accounts.
  const sorted = balances.toSorted((one, other) => Buffer.compare(bankBytes(other), bankBytes(one)));
  for (const [index, slot] of balancesOf(state).entries()) {
    const balance = sorted[index];
    if (balance === undefined) break;
    slot.active = 1;
    slot.bankPk = bankBytes(balance);
    slot.bankAssetTag = balance.bank.assetTag;
    slot.lastUpdate = unixTimestamp;
    if (balance.side === 'assets') slot.assetShares = balance.shares;
    else slot.liabilityShares = balance.shares;
    slot.tag = balance.tag ?? 0;
    slot.premiumRateSnapshot = balance.premium?.rate ?? 0;
    slot.premiumOutstanding = balance.premium?.outstanding ?? 0n;
  }
  syncIndexerFlags(state);
  state.bump = bump;
  state.activeOrders = activeOrders;
  state.lastTagUsed = Math.max(0, ...balances.map(({ tag = 0 }) => tag));
  return account;
}

function bankBytes({ bank }: MadeBalance): Uint8Array {
  return getAddressBytes(bank.address);
}
