import {
  MARINADE_PROGRAM,
  MARINADE_STATE,
  type MarinadeStateArgs,
  marinadeStateLayout,
  NO_KEY,
  STAKE_POOL_SIZE,
  type StakePoolArgs,
  stakePoolLayout,
  TOKEN_PROGRAM,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { computeEpoch } from '#ledger/chain-parameters.ts';
import type { MarketLedger } from '../market-ledger.ts';
import { DEMO_TOKENS } from '../tokens.ts';
import { LST_POOLS, type LstPoolRow, MARINADE_ROW } from './lst-pools.ts';
import { emptyOf, ownedBy } from './venue-account.ts';

/** Bytes of Marinade's account on mainnet. */
const MARINADE_STATE_SIZE = 2_616;
const MARINADE_PRICE_ONE = 2n ** 32n;
const PPM = 1_000_000n;
const BILLION = 1_000_000_000n;
const NO_FEE = { denominator: 1_000n, numerator: 0n } as const;

type Placed = readonly [Address, AccountState];

/** The pools behind the demo's staking tokens, with the rewards of the running epoch in them. Nobody's stake stands behind them. */
export async function createLstAccounts(at: {
  readonly unixTimestamp: bigint;
  readonly slot: bigint;
}): Promise<readonly Placed[]> {
  const epoch = computeEpoch(at.slot);
  return [
    ...LST_POOLS.map((row) => [row.address, poolAccount(row.program, newPool(row, epoch))] as const),
    [MARINADE_STATE, marinadeAccount(newMarinade(epoch))],
  ];
}

/**
 * Pays the rewards of an epoch to the pools that do not have them yet. To be called once for each slot that opens: it looks at the pools
 * in the first slot of an epoch only.
 */
export function createLstRewards(): (ledger: MarketLedger, slot: bigint) => void {
  let paidEpoch: bigint | null = null;
  return (ledger, slot) => {
    const epoch = computeEpoch(slot);
    if (epoch === paidEpoch) return;
    paidEpoch = epoch;
    const pools = LST_POOLS.flatMap((row) => {
      const state = ledger.account(row.address);
      return state === undefined
        ? []
        : [[row.address, poolAccount(row.program, rewardPool(row, state, epoch))] as const];
    });
    const marinade = ledger.account(MARINADE_STATE);
    ledger.writeAccounts([
      ...pools,
      ...(marinade === undefined ? [] : [[MARINADE_STATE, marinadeAccount(rewardMarinade(marinade, epoch))] as const]),
    ]);
  };
}

function newPool(row: LstPoolRow, epoch: bigint): StakePoolArgs {
  const { mint, supply } = DEMO_TOKENS[row.token];
  const totalLamports = (supply * row.ratePpm) / PPM;
  const nobody = { manager: NO_KEY, staker: NO_KEY, stakeDepositAuthority: NO_KEY, managerFeeAccount: NO_KEY };
  const none = { __kind: 'None' } as const;
  return {
    ...{ ...nobody, stakeWithdrawBumpSeed: 255, validatorList: NO_KEY, reserveStake: NO_KEY },
    ...{
      poolMint: mint,
      tokenProgramId: TOKEN_PROGRAM,
      totalLamports,
      poolTokenSupply: supply,
      lastUpdateEpoch: epoch,
    },
    lockup: { unixTimestamp: 0n, epoch: 0n, custodian: NO_KEY },
    ...{ epochFee: NO_FEE, nextEpochFee: none, stakeReferralFee: 0, solReferralFee: 0 },
    ...{ preferredDepositValidatorVoteAddress: null, preferredWithdrawValidatorVoteAddress: null },
    ...{ stakeDepositFee: NO_FEE, stakeWithdrawalFee: NO_FEE, nextStakeWithdrawalFee: none },
    ...{ solDepositAuthority: null, solDepositFee: NO_FEE },
    ...{ solWithdrawAuthority: null, solWithdrawalFee: NO_FEE, nextSolWithdrawalFee: none },
    lastEpochPoolTokenSupply: supply,
    lastEpochTotalLamports: (totalLamports * BILLION) / (BILLION + row.rewardPpb),
  };
}

function rewardPool(row: LstPoolRow, state: AccountState, epoch: bigint): StakePoolArgs {
  const pool = stakePoolLayout.decode(state.data);
  if (pool.lastUpdateEpoch >= epoch) return pool;
  return {
    ...pool,
    totalLamports: grown(pool.totalLamports, row.rewardPpb),
    lastUpdateEpoch: epoch,
    lastEpochPoolTokenSupply: pool.poolTokenSupply,
    lastEpochTotalLamports: pool.totalLamports,
  };
}

function newMarinade(epoch: bigint): MarinadeStateArgs {
  const zero = emptyOf(marinadeStateLayout, MARINADE_STATE_SIZE);
  const { mint, supply } = DEMO_TOKENS.mSOL;
  return {
    ...zero,
    msolMint: mint,
    msolSupply: supply,
    msolPrice: (MARINADE_PRICE_ONE * MARINADE_ROW.ratePpm) / PPM,
    stakeSystem: { ...zero.stakeSystem, lastStakeDeltaEpoch: epoch },
    validatorSystem: { ...zero.validatorSystem, totalActiveBalance: (supply * MARINADE_ROW.ratePpm) / PPM },
  };
}

/** Marinade does not say when it took rewards in: here the epoch of its last stake movement does. */
function rewardMarinade(account: AccountState, epoch: bigint): MarinadeStateArgs {
  const state = marinadeStateLayout.decode(account.data);
  if (state.stakeSystem.lastStakeDeltaEpoch >= epoch) return state;
  const { rewardPpb } = MARINADE_ROW;
  const { totalActiveBalance } = state.validatorSystem;
  return {
    ...state,
    msolPrice: grown(state.msolPrice, rewardPpb),
    stakeSystem: { ...state.stakeSystem, lastStakeDeltaEpoch: epoch },
    validatorSystem: { ...state.validatorSystem, totalActiveBalance: grown(totalActiveBalance, rewardPpb) },
  };
}

function grown(value: bigint, rewardPpb: bigint): bigint {
  return (value * (BILLION + rewardPpb)) / BILLION;
}

function poolAccount(program: Address, pool: StakePoolArgs): AccountState {
  return ownedBy(program, stakePoolLayout.encode(pool), STAKE_POOL_SIZE);
}

function marinadeAccount(state: MarinadeStateArgs): AccountState {
  return ownedBy(MARINADE_PROGRAM, marinadeStateLayout.encode(state), MARINADE_STATE_SIZE);
}
