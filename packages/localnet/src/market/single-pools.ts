import { NO_KEY, SINGLE_POOL_PROGRAM, STAKE_PROGRAM, stakeAccountLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
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
  const data = stakeAccountLayout.encode({
    meta: {
      rentExemptReserve,
      authorized: { staker: SINGLE_POOL_PROGRAM, withdrawer: SINGLE_POOL_PROGRAM },
      lockup: { unixTimestamp: 0n, epoch: 0n, custodian: NO_KEY },
    },
    delegation: {
      voterPubkey: vote,
      stake,
      activationEpoch: ACTIVE_SINCE,
      deactivationEpoch: NEVER,
      _reserved: new Uint8Array(8),
    },
    creditsObserved: 0n,
    stakeFlags: 0,
    _padding: new Uint8Array(3),
  });
  const lamports = rentExemptReserve + stake;
  return { lamports, owner: STAKE_PROGRAM, data: Uint8Array.from(data), executable: false };
}
