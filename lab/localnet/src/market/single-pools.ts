import { SINGLE_POOL_PROGRAM, STAKE_PROGRAM, stakeAccountLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { madeOf } from './account-state.ts';
import type { DemoBank, DemoSinglePool } from './demo-bank.ts';
import { PRACTICE_BANKS } from './practice-banks.ts';
import { rentExempt } from './rent.ts';
import { DEMO_TOKENS } from './tokens.ts';

/** The SOL that a pool starts with and that no token stands for. */
const BOOTSTRAP_LAMPORTS = 1_000_000_000n;
/** SOL for one pool token, millionths; ours. */
export const SINGLE_POOL_RATE_PPM = 1_046_300n;
const PPM = 1_000_000n;
/** What waits in each on-ramp to be staked; ours. */
const ON_RAMP_LAMPORTS = 12_500_000_000n;
const NEVER = 2n ** 64n - 1n;
const ACTIVE_SINCE = 700n;

/** The stake of each staked bank's pool, and the on-ramp beside it. The pool's own account holds nothing that anybody reads. */
export function singlePoolAccounts(
  banks: readonly DemoBank[] = PRACTICE_BANKS,
): readonly (readonly [Address, AccountState])[] {
  return banks.flatMap(({ singlePool, token }) => {
    if (singlePool === undefined) return [];
    const staked = BOOTSTRAP_LAMPORTS + (DEMO_TOKENS[token].supply * SINGLE_POOL_RATE_PPM) / PPM;
    return [
      [singlePool.stake, stakeAccount(singlePool, staked)],
      [singlePool.onRamp, stakeAccount(singlePool, ON_RAMP_LAMPORTS)],
    ] as const;
  });
}

function stakeAccount({ vote }: DemoSinglePool, stake: bigint): AccountState {
  const rentExemptReserve = rentExempt(stakeAccountLayout.fixedSize);
  const state = madeOf(STAKE_PROGRAM, stakeAccountLayout, (zero) => ({
    ...zero,
    meta: {
      ...zero.meta,
      rentExemptReserve,
      authorized: { staker: SINGLE_POOL_PROGRAM, withdrawer: SINGLE_POOL_PROGRAM },
    },
    delegation: {
      ...zero.delegation,
      voterPubkey: vote,
      stake,
      activationEpoch: ACTIVE_SINCE,
      deactivationEpoch: NEVER,
    },
  }));
  return { ...state, lamports: rentExemptReserve + stake };
}
