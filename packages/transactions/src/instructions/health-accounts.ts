import { oracleAccountsOf, type P0Bank } from '@lending/venues';
import { type Address, getAddressEncoder } from '@solana/kit';

/**
 * The accounts from which the program values a portfolio: each bank with its oracle accounts, banks descending by their bytes. It walks
 * them in step with the balances, which it has sorted the same way; what follows the last is left alone.
 * @param banks those of the balances that are active once the instruction has run.
 * @param closing the bank whose balance the instruction closes, where a limit on the whole group makes the program look for its price:
 *   it has to stand behind the others, where the walk does not meet it.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `RiskEngine`
 */
export function healthAccounts(banks: readonly P0Bank[], closing: P0Bank | null = null): readonly Address[] {
  const encoder = getAddressEncoder();
  const sorted = banks
    .map((bank) => ({ bank, bytes: encoder.encode(bank.address) }))
    .toSorted((one, other) => compareBytes(other.bytes, one.bytes))
    .map(({ bank }) => bank);
  return [...sorted, ...(closing === null ? [] : [closing])].flatMap((bank) => [
    bank.address,
    ...oracleAccountsOf(bank),
  ]);
}

function compareBytes(one: ArrayLike<number>, other: ArrayLike<number>): number {
  for (let index = 0; index < one.length; index += 1) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
