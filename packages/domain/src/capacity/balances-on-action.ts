import { type DebtPremium, premiumOwed } from '../accounting/premium.ts';
import type { RiskBank } from '../risk/risk-balance.ts';
import type { HeldBalance } from './capacity-state.ts';

/** An active balance as its account has it. */
export interface StoredBalance extends Omit<HeldBalance, 'bank' | 'premium'> {
  /** Its bank: as an instruction on it leaves it, with the interest up to the moment that is judged, or as its account has it. */
  bankOf(isActedOn: boolean): RiskBank;
  readonly premium: DebtPremium;
}

/**
 * An account's balances as the program judges them in an instruction on some banks: their interest is brought up to the moment first, every
 * other bank counts as its account has it, however long ago that was. What debts owe in premium is of the moment in all of them.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `get_health_components`
 */
export function balancesOnAction(
  balances: readonly StoredBalance[],
  isActedOn: (bank: string) => boolean,
  unixTimestamp: bigint,
): readonly HeldBalance[] {
  return balances.map(({ bankOf, premium, ...held }) => {
    const stored = bankOf(false);
    const bank = isActedOn(stored.address) ? bankOf(true) : stored;
    return { ...held, bank, premium: premiumOwed(bank, { ...held, premium }, unixTimestamp) };
  });
}
