import { fractionOf } from '@lending/domain';
import { LendingError } from '@lending/errors';
import {
  MARINADE_PROGRAM,
  marinadeStateLayout,
  STAKE_POOL_PROGRAM,
  STAKE_POOL_SIZE,
  stakePoolLayout,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { decodeAccount } from '../decode-account.ts';
import { STAKE_POOL_PROGRAMS } from './discovery.ts';
import type { LstKeys, LstReading } from './lst-reading.ts';

/** What Marinade's price is counted in. */
const MARINADE_PRICE_ONE = 2n ** 32n;

/**
 * Reads what a token is worth from the accounts its keys name.
 * @returns null where the pool does not exist, or has no token.
 * @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED, DECODE__VALUE_OUT_OF_RANGE (of another mint)
 */
export function readLst({ mint }: LstKeys, [account]: readonly (AccountBytes | null)[]): LstReading | null {
  if (!account) return null;
  return account.owner === MARINADE_PROGRAM ? readMarinade(mint, account) : readStakePool(mint, account);
}

/** Both totals are of now, the epoch is that of the last rewards. A pool that never saw any has no totals from before. */
function readStakePool(mint: Address, account: AccountBytes): LstReading | null {
  const owner = STAKE_POOL_PROGRAMS.find((program) => program === account.owner) ?? STAKE_POOL_PROGRAM;
  const shape = { kind: 'stake pool', owner, size: STAKE_POOL_SIZE };
  const pool = decodeAccount(account, shape, stakePoolLayout);
  assertMint(account, pool.poolMint, mint);
  const exchangeRateE18 = fractionOf(pool.totalLamports, pool.poolTokenSupply);
  if (exchangeRateE18 === null) return null;
  return {
    mint,
    exchangeRateE18,
    epoch: pool.lastUpdateEpoch,
    previousEpochRateE18: fractionOf(pool.lastEpochTotalLamports, pool.lastEpochPoolTokenSupply),
  };
}

function readMarinade(mint: Address, account: AccountBytes): LstReading | null {
  const state = decodeAccount(account, { kind: 'Marinade state', owner: MARINADE_PROGRAM }, marinadeStateLayout);
  assertMint(account, state.msolMint, mint);
  const exchangeRateE18 = fractionOf(state.msolPrice, MARINADE_PRICE_ONE);
  if (exchangeRateE18 === null || state.msolSupply === 0n) return null;
  return { mint, exchangeRateE18, epoch: null, previousEpochRateE18: null };
}

function assertMint({ address }: AccountBytes, found: Address, expected: Address): void {
  if (found === expected) return;
  throw new LendingError('DECODE__VALUE_OUT_OF_RANGE', {
    message: `Pool ${address} issues ${found}, expected ${expected}`,
    context: { address, found, expected },
  });
}
