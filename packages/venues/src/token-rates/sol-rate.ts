import { divideI80F48, type I80F48, integerToI80F48, type ProgramErrorName } from '@lending/domain';
import { OracleRefused } from '../p0/oracle-refused.ts';

/** No staked SOL is worth so much SOL: what says so was read wrongly. */
const MAX_RATE = integerToI80F48(3n);

/**
 * SOL for one token of a pool.
 * @throws OracleRefused with this error where the rate is none that staked SOL has.
 * @see marginfi-v2 programs/marginfi/src/state/lst_stake_price.rs `MAX_LST_SOL_RATE`
 */
export function solRate(lamports: bigint, supply: bigint, invalid: ProgramErrorName): I80F48 {
  const rate = divideI80F48(integerToI80F48(lamports), integerToI80F48(supply));
  if (rate <= 0n || rate >= MAX_RATE) throw new OracleRefused('rate_out_of_range', invalid);
  return rate;
}
