import type { AccountState } from '@lending/localnet';
import { MARGINFI_PROGRAM, marginfiAccountLayout } from '@lending/programs';
import { getAddressEncoder } from '@solana/kit';

const FIRST_BALANCE = 72;
const BALANCE_SIZE = 104;
const BALANCES = 16;

/**
 * The program keeps balances sorted by bank, descending, without gaps; the ELF leaves them in their slots. The same account where nothing is
 * to be sorted, or it is no lending account.
 */
export function withSortedBalances(state: AccountState): AccountState {
  if (state.owner !== MARGINFI_PROGRAM || state.data.length !== marginfiAccountLayout.fixedSize) return state;
  const { balances } = marginfiAccountLayout.decode(state.data).lendingAccount;
  const slots = balances.map(({ active, bankPk }, index) => {
    const from = FIRST_BALANCE + index * BALANCE_SIZE;
    const key = Buffer.from(getAddressEncoder().encode(bankPk));
    return { isActive: active === 1, key, bytes: state.data.slice(from, from + BALANCE_SIZE) };
  });
  const active = slots.filter(({ isActive }) => isActive).sort((left, right) => Buffer.compare(right.key, left.key));
  const data = state.data.slice();
  data.fill(0, FIRST_BALANCE, FIRST_BALANCE + BALANCES * BALANCE_SIZE);
  for (const [index, { bytes }] of active.entries()) data.set(bytes, FIRST_BALANCE + index * BALANCE_SIZE);
  return Buffer.compare(data, state.data) === 0 ? state : { ...state, data };
}
