import { placeOf, stakePoolLayout } from '@lending/programs';
import { STAKE_POOL_PROGRAMS } from '../lst/discovery.ts';
import type { Moment } from '../moment.ts';
import { OracleRefused } from '../p0/oracle-refused.ts';
import { loadRateAccount } from './load-rate-account.ts';
import { solRate } from './sol-rate.ts';
import type { TokenRate } from './token-rate.ts';

const INVALID = 'StakePoolValidationFailed';
/** The program reads the pool up to here: what follows may be anything. */
const LAST = placeOf(stakePoolLayout, 'lastUpdateEpoch');
const READ_SIZE = LAST.offset + LAST.type.fixedSize;
/** A pool is an epoch behind until its manager updates it. */
const MAX_EPOCHS_BEHIND = 1n;

/**
 * SOL for one token of a stake pool.
 * @see marginfi-v2 programs/marginfi/src/state/lst_stake_price.rs `stake_pool_price_multiplier`
 */
export const stakePoolRate: TokenRate = {
  account: 'stake_pool',
  canBeStale: true,
  load: (source) => {
    const { discriminator } = stakePoolLayout;
    const data = loadRateAccount(source, { owners: STAKE_POOL_PROGRAMS, discriminator, invalid: INVALID });
    if (data.length < READ_SIZE) throw new OracleRefused('rate_account_malformed', INVALID);
    const supply = read(data, 'poolTokenSupply');
    if (supply === 0n) throw new OracleRefused('rate_out_of_range', 'ZeroSupplyInStakePool');
    if (epochOf(source.moment) - read(data, 'lastUpdateEpoch') > MAX_EPOCHS_BEHIND)
      source.freshness.tokenRate('StakePoolStale');
    return solRate(read(data, 'totalLamports'), supply, INVALID);
  },
};

function read(data: Uint8Array, field: 'totalLamports' | 'poolTokenSupply' | 'lastUpdateEpoch'): bigint {
  const { offset, type } = placeOf(stakePoolLayout, field);
  return type.decode(data, offset) as bigint;
}

/** The program reads it on the chain; our caller has to bring it. */
function epochOf({ epoch }: Moment): bigint {
  if (epoch === undefined) throw new OracleRefused('epoch_unknown', null);
  return epoch;
}
