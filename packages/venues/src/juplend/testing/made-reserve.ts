import {
  findJuplendFTokenMint,
  findJuplendLending,
  findJuplendLiquidity,
  findJuplendRateModel,
  findJuplendRewardsRateModel,
  findJuplendTokenReserve,
  findJuplendUserSupplyPosition,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  JUPLEND_REWARDS_PROGRAM,
  type JuplendLending,
  type JuplendRateModel,
  type JuplendRewardsRateModel,
  type JuplendTokenReserve,
  type JuplendUserSupplyPosition,
  juplendLendingLayout,
  juplendLiquidityLayout,
  juplendRateModelLayout,
  juplendRewardsRateModelLayout,
  juplendTokenReserveLayout,
  juplendUserSupplyPositionLayout,
  NO_KEY,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { bytesOf, madeBytes, mintBytes, tokenAccountBytes } from '@lending/programs/testing/made-accounts.ts';
import { type Address, address, type Encoder } from '@solana/kit';
import type { AccountBytes } from '#account.ts';

export const JUPLEND_MINT: Address = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
export const JUPLEND_VAULT: Address = address('BmkUoKMFYBxNSzWXyUjyMJjMAaVz4d8ZnxwwmhDCUXFB');

/** When the made pool was last touched, unix seconds. */
export const JUPLEND_UPDATED = 1_770_000_000n;

/** The figures that were published of mainnet's USDC reserve, and borrows that fit its utilisation. */
export const madeTokenReserve = (fields: Partial<JuplendTokenReserve> = {}): JuplendTokenReserve => ({
  mint: JUPLEND_MINT,
  vault: JUPLEND_VAULT,
  borrowRate: 442,
  feeOnInterest: 1_000,
  lastUtilization: 8_357,
  lastUpdateTimestamp: JUPLEND_UPDATED,
  supplyExchangePrice: 1_029_996_710_353n,
  borrowExchangePrice: 1_045_000_000_000n,
  maxUtilization: 9_500,
  totalSupplyWithInterest: 401_387_174_957_279n,
  totalSupplyInterestFree: 0n,
  totalBorrowWithInterest: 330_640_000_000_000n,
  totalBorrowInterestFree: 0n,
  totalClaimAmount: 0n,
  interactingProtocol: NO_KEY,
  interactingTimestamp: 0n,
  interactingBalance: 0n,
  ...fields,
});

export const madeRateModel = (fields: Partial<JuplendRateModel> = {}): JuplendRateModel => ({
  mint: JUPLEND_MINT,
  version: 2,
  rateAtZero: 0,
  kink1Utilization: 8_500,
  rateAtKink1: 600,
  rateAtMax: 10_000,
  kink2Utilization: 9_300,
  rateAtKink2: 800,
  ...fields,
});

export const madeRewards = (fields: Partial<JuplendRewardsRateModel> = {}): JuplendRewardsRateModel => ({
  mint: JUPLEND_MINT,
  startTvl: 0n,
  duration: 0n,
  startTime: 0n,
  yearlyReward: 0n,
  nextDuration: 0n,
  nextRewardAmount: 0n,
  bump: 255,
  ...fields,
});

export const madeSupplyPosition = (fields: Partial<JuplendUserSupplyPosition> = {}): JuplendUserSupplyPosition => ({
  protocol: NO_KEY,
  mint: JUPLEND_MINT,
  withInterest: 1,
  amount: 400_000_000_000_000n,
  withdrawalLimit: 0n,
  decayAmount: 0n,
  lastUpdate: JUPLEND_UPDATED,
  expandPct: 2_500,
  expandDuration: 21_600,
  decayDuration: 0,
  baseWithdrawalLimit: 1n,
  status: 0,
  ...fields,
});

export const madeLendingFields = (fields: Partial<JuplendLending> = {}): JuplendLending => ({
  mint: JUPLEND_MINT,
  fTokenMint: NO_KEY,
  lendingId: 1,
  decimals: 6,
  rewardsRateModel: NO_KEY,
  liquidityExchangePrice: 1_029_996_710_353n,
  tokenExchangePrice: 1_045_000_000_000n,
  lastUpdateTimestamp: JUPLEND_UPDATED,
  tokenReservesLiquidity: NO_KEY,
  supplyPositionOnLiquidity: NO_KEY,
  bump: 255,
  ...fields,
});

export interface MadePool {
  readonly reserve?: Partial<JuplendTokenReserve>;
  readonly model?: Partial<JuplendRateModel>;
  readonly position?: Partial<JuplendUserSupplyPosition>;
  readonly rewards?: Partial<JuplendRewardsRateModel>;
  readonly lending?: Partial<JuplendLending>;
  readonly fTokenSupply?: bigint;
  readonly vaultAmount?: bigint;
  readonly isLocked?: boolean;
}

/** The accounts of the USDC pool at mainnet's addresses, in the order its keys name them. */
export async function madeJuplendPool(pool: MadePool = {}): Promise<readonly AccountBytes[]> {
  const [fTokenMint] = await findJuplendFTokenMint(JUPLEND_MINT);
  const [lending] = await findJuplendLending(JUPLEND_MINT, fTokenMint);
  const [[reserve], [model], [position], [rewards], [liquidity]] = await Promise.all([
    findJuplendTokenReserve(JUPLEND_MINT),
    findJuplendRateModel(JUPLEND_MINT),
    findJuplendUserSupplyPosition(JUPLEND_MINT, lending),
    findJuplendRewardsRateModel(JUPLEND_MINT),
    findJuplendLiquidity(),
  ]);
  const named = {
    fTokenMint,
    rewardsRateModel: rewards,
    tokenReservesLiquidity: reserve,
    supplyPositionOnLiquidity: position,
  };
  const LIQUIDITY = JUPLEND_LIQUIDITY_PROGRAM;
  return [
    bytes(lending, JUPLEND_LENDING_PROGRAM, juplendLendingLayout, madeLendingFields({ ...named, ...pool.lending })),
    bytes(reserve, LIQUIDITY, juplendTokenReserveLayout, madeTokenReserve(pool.reserve)),
    bytes(model, LIQUIDITY, juplendRateModelLayout, madeRateModel(pool.model)),
    bytes(position, LIQUIDITY, juplendUserSupplyPositionLayout, {
      ...madeSupplyPosition({ protocol: lending }),
      ...pool.position,
    }),
    bytes(rewards, JUPLEND_REWARDS_PROGRAM, juplendRewardsRateModelLayout, madeRewards(pool.rewards)),
    {
      ...{ address: fTokenMint, owner: TOKEN_PROGRAM },
      data: mintBytes({ supply: pool.fTokenSupply ?? 390_000_000_000_000n }),
    },
    {
      ...{ address: JUPLEND_VAULT, owner: TOKEN_PROGRAM },
      data: tokenAccountBytes({
        mint: JUPLEND_MINT,
        owner: liquidity,
        amount: pool.vaultAmount ?? 67_900_000_000_000n,
      }),
    },
    {
      ...{ address: liquidity, owner: LIQUIDITY },
      data: madeBytes(juplendLiquidityLayout, { status: pool.isLocked ?? false }),
    },
  ];
}

function bytes<T>(key: Address, owner: Address, encoder: Encoder<T>, value: T): AccountBytes {
  return { address: key, owner, data: bytesOf(encoder, value) };
}
