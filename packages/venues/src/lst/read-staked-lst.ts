import { fractionOf } from '@lending/domain';
import type { Moment } from '../moment.ts';
import type { P0Bank } from '../p0/bank.ts';
import type { OracleAccounts } from '../p0/load-oracle.ts';
import { OracleRefused } from '../p0/oracle-refused.ts';
import { readStakedMultiplier } from '../staked/read-multiplier.ts';
import type { LstReading } from './lst-reading.ts';

/**
 * What the token of a single-validator pool is worth, from the accounts its staked bank's price is read from anyhow, and as that price
 * counts it. The pool keeps nothing from before.
 * @param accounts in the order of `oracleAccountsOf`.
 * @returns null for all other banks, and where the pool cannot be read.
 */
export function readStakedLst(bank: P0Bank, accounts: OracleAccounts, moment: Moment): LstReading | null {
  if (bank.oracle.setup !== 'StakedWithPythPush') return null;
  const [, mint = null, stake = null, onRamp = null] = accounts;
  try {
    const { poolLamports, supply } = readStakedMultiplier(bank, { mint, stake, onRamp }, moment);
    const exchangeRateE18 = fractionOf(poolLamports, supply);
    return exchangeRateE18 === null
      ? null
      : { mint: bank.mint, exchangeRateE18, epoch: null, previousEpochRateE18: null };
  } catch (error) {
    if (error instanceof OracleRefused) return null;
    throw error;
  }
}
