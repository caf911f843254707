import { cautiousHealthFactor, computeHealth, type RiskBalance } from '@lending/domain';
import { type ActionState, type LiveAccounts, momentOf } from '@lending/transactions';
import {
  decodeBank,
  loadOracle,
  oracleAccountsOf,
  type P0Account,
  type PricedBank,
  relaxBank,
  toRiskBalances,
  toRiskBank,
  toRiskPriceOnceRefreshed,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import type { JudgedHealth } from '../build.ts';

type Read = Pick<ActionState, 'program' | 'group' | 'relaxed'>;

/**
 * An account's health as a check of the program would find it with these accounts: banks as they are stored, venue accounts as whoever
 * acts refreshes them, a stale feed as what it is. An account that does not exist yet is an empty one.
 * @throws DECODE codes when a bank of one of its balances cannot be read.
 */
export function judgeHealth(account: P0Account | null, accounts: LiveAccounts, read: Read): JudgedHealth {
  return judgeBalances(riskBalancesOf(account, accounts, read));
}

/** The same of balances that have their banks and prices already. */
export function judgeBalances(balances: readonly RiskBalance[]): JudgedHealth {
  const health = computeHealth(balances);
  return { health, factor: cautiousHealthFactor(balances), staleBanks: health.oracleIssues.map(({ bank }) => bank) };
}

/**
 * An account's balances, each with its bank and price, valued as `judgeHealth` says.
 * @throws DECODE codes when a bank of one of them cannot be read.
 */
export function riskBalancesOf(account: P0Account | null, accounts: LiveAccounts, read: Read): readonly RiskBalance[] {
  if (account === null) return [];
  const banks = new Map(account.balances.map(({ bank }) => [bank, priceBank(bank, accounts, read)]));
  return toRiskBalances(account, banks, accounts.unixTimestamp);
}

function priceBank(address: Address, accounts: LiveAccounts, { program, group, relaxed }: Read): PricedBank {
  const bytes = accounts.get(address);
  if (!bytes) throw new TypeError(`The bank ${address} of a balance was not read`);
  const bank = relaxBank(decodeBank(bytes, program), relaxed);
  const oracle = loadOracle(
    bank,
    oracleAccountsOf(bank).map((each) => accounts.get(each) ?? null),
    momentOf(accounts),
  );
  return { bank: toRiskBank(bank, group, null), price: toRiskPriceOnceRefreshed(bank, oracle) };
}
