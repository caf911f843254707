import { editAccount, type Ledger } from '@lending/localnet';
import {
  bankLayout,
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendTokenReserveLayout,
  KLEND_PROGRAM,
  klendReserveLayout,
  MARGINFI_PROGRAM,
  SOLEND_PROGRAM,
  solendReserveLayout,
} from '@lending/programs';
import { accrueJuplendPrices } from '@lending/venues';
import type { Address } from '@solana/kit';
import { startsWith } from './starts-with.ts';

/** Leaves every bank and every reserve as a transaction of this second and slot would: nothing has accrued since. */
export function touchAll(ledger: Ledger): void {
  const { unixTimestamp } = ledger;
  const slot = ledger.slot('confirmed');
  for (const address of listOf(ledger, MARGINFI_PROGRAM, bankLayout.discriminator)) {
    editAccount(ledger, bankLayout, address, (bank) => ({ ...bank, lastUpdate: unixTimestamp }));
  }
  for (const address of listOf(ledger, KLEND_PROGRAM, klendReserveLayout.discriminator)) {
    editAccount(ledger, klendReserveLayout, address, (reserve) => ({
      ...reserve,
      lastUpdate: { ...reserve.lastUpdate, slot, timestamp: Number(unixTimestamp) },
    }));
  }
  for (const address of listOf(ledger, SOLEND_PROGRAM, new Uint8Array([1]), solendReserveLayout.fixedSize)) {
    editAccount(ledger, solendReserveLayout, address, (reserve) => ({
      ...reserve,
      lastUpdate: { ...reserve.lastUpdate, slot },
    }));
  }
  for (const address of listOf(ledger, JUPLEND_LIQUIDITY_PROGRAM, juplendTokenReserveLayout.discriminator)) {
    editAccount(ledger, juplendTokenReserveLayout, address, (reserve) => {
      // A pool of Earn takes no price that is lower than the last.
      const { supply, borrow } = accrueJuplendPrices(reserve, unixTimestamp);
      const prices = { supplyExchangePrice: supply, borrowExchangePrice: borrow };
      return { ...reserve, ...prices, lastUpdateTimestamp: unixTimestamp };
    });
  }
}

/** Gives each of these banks that owes nothing a debt of a thousandth of what it holds: interest accrues in all of them. */
export function lendFromAll(ledger: Ledger, banks: readonly Address[]): void {
  for (const address of banks) {
    editAccount(ledger, bankLayout, address, (bank) => ({
      ...bank,
      totalLiabilityShares: bank.totalLiabilityShares || bank.totalAssetShares / 1_000n,
    }));
  }
}

function listOf(ledger: Ledger, program: Address, head: Uint8Array, size?: number): readonly Address[] {
  return [...ledger.accountsOwnedBy(program, 'processed')]
    .filter(([, { data }]) => startsWith(data, head) && (size === undefined || data.length === size))
    .map(([address]) => address);
}
