import { BANK_FLAG } from '@lending/domain';
import { DELEGATED_STAKE_TAG, mintLayout, stakeAccountLayout, TOKEN_PROGRAM } from '@lending/programs';
import { getU32Decoder } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import type { Moment } from '../moment.ts';
import type { P0Bank } from '../p0/bank.ts';
import { OracleRefused, UNREADABLE } from '../p0/oracle-refused.ts';
import { onRampOf } from './on-ramp.ts';

/** The one SOL a single-validator pool starts with and never gives back. */
const BOOTSTRAP_LAMPORTS = 1_000_000_000n;
/** Bytes every account pays for besides its data. */
const ACCOUNT_OVERHEAD = 128n;
const U64_MAX = 2n ** 64n - 1n;
const tagDecoder = getU32Decoder();
const TAG_SIZE = 4;
/** Bytes a stake account needs in each of its states: uninitialized, initialized, delegated, and one no longer used. */
const STAKE_STATE_SIZES: readonly number[] = [TAG_SIZE, 124, stakeAccountLayout.fixedSize, TAG_SIZE];

/** Lamports in a pool over the pool tokens they back. */
export interface StakedMultiplier {
  readonly poolLamports: bigint;
  readonly supply: bigint;
}

/** Which of its two ways a staked bank is priced in. The on-ramp counts where both flags are set. */
export type StakedPricing = 'delegated_stake' | 'on_ramp' | 'disabled';

export function stakedPricingOf(bank: Pick<P0Bank, 'flags'>): StakedPricing {
  if ((bank.flags & BANK_FLAG.usesStakedOnRamp) !== 0n) return 'on_ramp';
  return (bank.flags & BANK_FLAG.stakedOracleDisabled) === 0n ? 'delegated_stake' : 'disabled';
}

/**
 * Reads what a pool token is worth in SOL.
 * @param onRamp any account will do until the bank counts its on-ramp.
 * @throws OracleRefused
 * @see marginfi-v2 programs/marginfi/src/state/price.rs `StakedWithPythPush`
 */
export function readStakedMultiplier(
  bank: P0Bank,
  pool: {
    readonly mint: AccountBytes | null;
    readonly stake: AccountBytes | null;
    readonly onRamp: AccountBytes | null;
  },
  moment: Moment,
  pricing: StakedPricing = stakedPricingOf(bank),
): StakedMultiplier {
  const supply = supplyOf(pool.mint);
  if (supply === 0n) throw new OracleRefused('staked_pool_empty', 'ZeroSupplyInStakePool');
  switch (pricing) {
    case 'on_ramp':
      return { supply, poolLamports: netAssetValueOf(bank, pool.stake, pool.onRamp, moment) };
    case 'delegated_stake':
      return { supply, poolLamports: delegatedStakeOf(pool.stake) };
    case 'disabled':
      throw new OracleRefused('staked_oracle_disabled', 'StakeOraclesDisabled');
  }
}

/** The program aborts at a mint it cannot read. */
function supplyOf(mint: AccountBytes | null): bigint {
  if (mint === null) throw new OracleRefused('staked_pool_missing', null);
  if (mint.owner !== TOKEN_PROGRAM || mint.data.length !== mintLayout.fixedSize)
    throw new OracleRefused('staked_pool_malformed', null);
  const { supply, isInitialized } = mintLayout.decode(mint.data);
  if (!isInitialized) throw new OracleRefused('staked_pool_malformed', null);
  return supply;
}

function delegatedStakeOf(stake: AccountBytes | null): bigint {
  if (stake === null) throw new OracleRefused('staked_pool_missing', UNREADABLE);
  const { data } = stake;
  const tag = data.length < TAG_SIZE ? null : tagDecoder.decode(data);
  const size = tag === null ? undefined : STAKE_STATE_SIZES[tag];
  if (size === undefined || data.length < size) throw new OracleRefused('staked_pool_malformed', UNREADABLE);
  if (tag !== DELEGATED_STAKE_TAG) throw new OracleRefused('staked_pool_malformed', 'StakePoolValidationFailed');
  const lamports = stakeAccountLayout.decode(data).delegation.stake - BOOTSTRAP_LAMPORTS;
  if (lamports < 0n) throw new OracleRefused('staked_pool_empty', 'MathError');
  return lamports;
}

function netAssetValueOf(
  bank: P0Bank,
  stake: AccountBytes | null,
  onRamp: AccountBytes | null,
  moment: Moment,
): bigint {
  const expected = onRampOf(bank);
  if (expected === null) throw new OracleRefused('staked_pool_mismatch', 'StakePoolValidationFailed');
  if (onRamp !== null && onRamp.address !== expected)
    throw new OracleRefused('staked_pool_mismatch', 'WrongOracleAccountKeys');
  const lamports = aboveRent(stake, moment) + aboveRent(onRamp, moment);
  return lamports < U64_MAX ? lamports : U64_MAX;
}

function aboveRent(account: AccountBytes | null, { rentLamportsPerByte }: Moment): bigint {
  if (account === null) return 0n;
  // The program reads both on the chain; whoever asks us must bring them.
  if (account.lamports === undefined || rentLamportsPerByte === undefined)
    throw new OracleRefused('rent_unknown', null);
  const rent = (ACCOUNT_OVERHEAD + BigInt(account.data.length)) * rentLamportsPerByte;
  return account.lamports > rent ? account.lamports - rent : 0n;
}
