import type { Address, ReadonlyUint8Array } from '@solana/kit';
import type { MarketLedger } from './market-ledger.ts';

/**
 * Rewrites an account behind its program's back, as an administrator or a year of interest would, for tests: a cap that is nearly reached
 * (`config.depositLimit`), a pause (`config.operationalState`), a share value. Bytes behind the layout stay.
 * @throws TypeError for an address without an account.
 */
export function editAccount<TValue, TArgs>(
  ledger: Pick<MarketLedger, 'account' | 'writeAccounts'>,
  layout: { decode(data: Uint8Array): TValue; encode(value: TArgs): ReadonlyUint8Array },
  address: Address,
  change: (value: TValue) => TArgs,
): void {
  const state = ledger.account(address);
  if (state === undefined) throw new TypeError(`There is no account at ${address}`);
  const data = Uint8Array.from(state.data);
  data.set(layout.encode(change(layout.decode(data))));
  ledger.writeAccounts([[address, { ...state, data }]]);
}
