import type { I80F48 } from '@lending/domain';
import type { AccountBytes } from '../account.ts';
import type { Moment } from '../moment.ts';
import type { P0Oracle } from '../p0/bank.ts';
import type { OracleFreshness } from '../p0/oracle-freshness.ts';

/** What holds a token's rate. */
export type TokenRateAccount = 'marinade_state' | 'stake_pool' | 'exponent_vault';

/** What a rate is read from, and for which bank. */
export interface TokenRateSource {
  readonly oracle: P0Oracle;
  /** The bank's oracle key that names the account. */
  readonly key: number;
  readonly account: AccountBytes | null;
  readonly moment: Moment;
  readonly freshness: OracleFreshness;
}

/** How P0 reads what one token is worth in what a feed prices: mSOL and other staked SOL in SOL, a principal token in its asset. */
export interface TokenRate {
  readonly account: TokenRateAccount;
  /** Whether its account goes out of date. Its own program refreshes it, and the service does not. */
  readonly canBeStale: boolean;
  /**
   * Reads the rate with the program's checks in its order.
   * @throws OracleRefused
   * @throws DECODE__VALUE_OUT_OF_RANGE where the program fails with a maths error.
   */
  load(source: TokenRateSource): I80F48;
}
