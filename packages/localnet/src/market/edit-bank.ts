import { type Bank, type BankArgs, bankLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { MarketLedger } from './market-ledger.ts';

/**
 * Rewrites a bank behind the program's back, as an administrator or a year of interest would, for tests: a cap that is nearly reached
 * (`config.depositLimit`), a pause (`config.operationalState`), a share value.
 * @throws TypeError for an address without a bank.
 */
export function editBank(
  ledger: Pick<MarketLedger, 'account' | 'writeAccounts'>,
  address: Address,
  change: (bank: Bank) => BankArgs,
): void {
  const state = ledger.account(address);
  if (state === undefined) throw new TypeError(`There is no bank at ${address}`);
  const bank = bankLayout.decode(state.data);
  ledger.writeAccounts([[address, { ...state, data: Uint8Array.from(bankLayout.encode(change(bank))) }]]);
}
