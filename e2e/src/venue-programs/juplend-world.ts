import type { AccountState } from '@lending/localnet';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  findJuplendFTokenMint,
  findJuplendLending,
  findJuplendLendingAdmin,
  findJuplendLiquidity,
  findJuplendRateModel,
  findJuplendRewardsRateModel,
  findJuplendTokenReserve,
  findJuplendUserBorrowPosition,
  findJuplendUserClaim,
  findJuplendUserSupplyPosition,
  JUPLEND_LENDING_ADMIN_SIZE,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  JUPLEND_REWARDS_PROGRAM,
  juplendLendingAdminLayout,
  juplendLendingLayout,
  juplendLiquidityLayout,
  juplendRateModelLayout,
  juplendRewardsRateModelLayout,
  juplendTokenReserveLayout,
  juplendUserBorrowPositionLayout,
  juplendUserSupplyPositionLayout,
  mintLayout,
  NO_KEY,
  TOKEN_PROGRAM,
  tokenAccountLayout,
} from '@lending/programs';
import { type Address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { labelled, PAYER, SYSTEM_PROGRAM } from '../real-program/addresses.ts';
import { rentExempt } from '../real-program/chain.ts';

export const START_TIME = 1_770_000_000n;
export const MINT = labelled('juplend mint');
/** Earn's depositors. */
export const USERS = ['ann', 'bob', 'cyd'] as const;
export type User = (typeof USERS)[number];
/** Those who use the liquidity layer themselves, as vaults do: one with interest, one without. */
export const PROTOCOLS = ['vault', 'free'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** A second token account of ann's, at no derived address. */
export const SPARE_TOKENS = labelled('juplend spare tokens');

export const walletOf = (name: User | Protocol): Address => labelled(`juplend ${name}`);

const [FTOKEN_MINT] = await findJuplendFTokenMint(MINT);
const [LENDING, LENDING_BUMP] = await findJuplendLending(MINT, FTOKEN_MINT);
const [LENDING_ADMIN, LENDING_ADMIN_BUMP] = await findJuplendLendingAdmin();
const [LIQUIDITY, LIQUIDITY_BUMP] = await findJuplendLiquidity();
const [REWARDS, REWARDS_BUMP] = await findJuplendRewardsRateModel(MINT);

/** The pool's accounts. */
export const POOL = {
  fTokenMint: FTOKEN_MINT,
  lending: LENDING,
  lendingAdmin: LENDING_ADMIN,
  liquidity: LIQUIDITY,
  rewards: REWARDS,
  tokenReserve: (await findJuplendTokenReserve(MINT))[0],
  rateModel: (await findJuplendRateModel(MINT))[0],
  supplyPosition: (await findJuplendUserSupplyPosition(MINT, LENDING))[0],
  vault: await associatedOf(LIQUIDITY, MINT),
} as const;

async function associatedOf(owner: Address, mint: Address): Promise<Address> {
  const encode = (key: Address) => getAddressEncoder().encode(key);
  const seeds = [encode(owner), encode(TOKEN_PROGRAM), encode(mint)];
  return (await getProgramDerivedAddress({ programAddress: ASSOCIATED_TOKEN_PROGRAM, seeds }))[0];
}

/** What belongs to one user or protocol. */
interface Holdings {
  readonly tokens: Address;
  readonly fTokens: Address;
  readonly claim: Address;
  readonly supplyPosition: Address;
  readonly borrowPosition: Address;
}

const holdings = new Map<User | Protocol, Holdings>();
for (const name of [...USERS, ...PROTOCOLS]) {
  const wallet = walletOf(name);
  holdings.set(name, {
    tokens: await associatedOf(wallet, MINT),
    fTokens: await associatedOf(wallet, FTOKEN_MINT),
    claim: (await findJuplendUserClaim(wallet, MINT))[0],
    supplyPosition: (await findJuplendUserSupplyPosition(MINT, wallet))[0],
    borrowPosition: (await findJuplendUserBorrowPosition(MINT, wallet))[0],
  });
}

export function holdingsOf(name: User | Protocol): Holdings {
  const found = holdings.get(name);
  if (found === undefined) throw new TypeError(`There is no ${name}`);
  return found;
}

/** Codecs of the accounts that a step may write to, by the name it gives them. */
export const CODECS = {
  reserve: { address: POOL.tokenReserve, codec: juplendTokenReserveLayout },
  model: { address: POOL.rateModel, codec: juplendRateModelLayout },
  position: { address: POOL.supplyPosition, codec: juplendUserSupplyPositionLayout },
  lending: { address: POOL.lending, codec: juplendLendingLayout },
  rewards: { address: POOL.rewards, codec: juplendRewardsRateModelLayout },
  liquidity: { address: POOL.liquidity, codec: juplendLiquidityLayout },
  vaultBorrow: { address: holdingsOf('vault').borrowPosition, codec: juplendUserBorrowPositionLayout },
  vaultSupply: { address: holdingsOf('vault').supplyPosition, codec: juplendUserSupplyPositionLayout },
} as const;

const EACH = 1_000_000_000_000n;
const SHARES_EACH = 100_000_000_000n;
const NONE = { isSome: false, value: NO_KEY } as const;

/** A pool that was used: prices above one, three depositors, a vault that borrows and one that does without interest. */
export function worldAccounts(): ReadonlyMap<Address, AccountState> {
  const fTokenSupply = SHARES_EACH * BigInt(USERS.length);
  const earnRaw = 320_000_000_000n;
  const vaultRaw = 80_000_000_000n;
  const borrowedRaw = 250_000_000_000n;
  const accounts = new Map<Address, AccountState>([
    [PAYER, wallet()],
    [MINT, mint(PAYER, 10n ** 15n)],
    [POOL.fTokenMint, mint(POOL.lendingAdmin, fTokenSupply)],
    [POOL.vault, tokens(MINT, POOL.liquidity, 170_000_000_000n)],
    [SPARE_TOKENS, tokens(MINT, walletOf('ann'), 0n)],
    [POOL.lendingAdmin, lendingAdmin()],
    [
      POOL.lending,
      owned(
        JUPLEND_LENDING_PROGRAM,
        juplendLendingLayout.encode({
          mint: MINT,
          fTokenMint: POOL.fTokenMint,
          lendingId: 1,
          decimals: 6,
          rewardsRateModel: POOL.rewards,
          liquidityExchangePrice: 1_029_000_000_000n,
          tokenExchangePrice: 1_045_000_000_000n,
          lastUpdateTimestamp: START_TIME - 600n,
          tokenReservesLiquidity: POOL.tokenReserve,
          supplyPositionOnLiquidity: POOL.supplyPosition,
          bump: LENDING_BUMP,
        }),
      ),
    ],
    [
      POOL.rewards,
      owned(
        JUPLEND_REWARDS_PROGRAM,
        juplendRewardsRateModelLayout.encode({
          mint: MINT,
          startTvl: 0n,
          duration: 0n,
          startTime: 0n,
          yearlyReward: 0n,
          nextDuration: 0n,
          nextRewardAmount: 0n,
          bump: REWARDS_BUMP,
        }),
      ),
    ],
    [
      POOL.liquidity,
      owned(
        JUPLEND_LIQUIDITY_PROGRAM,
        juplendLiquidityLayout.encode({
          authority: PAYER,
          revenueCollector: PAYER,
          status: false,
          bump: LIQUIDITY_BUMP,
        }),
      ),
    ],
    [
      POOL.tokenReserve,
      owned(
        JUPLEND_LIQUIDITY_PROGRAM,
        juplendTokenReserveLayout.encode({
          mint: MINT,
          vault: POOL.vault,
          borrowRate: 442,
          feeOnInterest: 1_000,
          lastUtilization: 6_000,
          lastUpdateTimestamp: START_TIME - 600n,
          supplyExchangePrice: 1_029_996_710_353n,
          borrowExchangePrice: 1_045_123_456_789n,
          maxUtilization: 9_500,
          totalSupplyWithInterest: earnRaw + vaultRaw,
          totalSupplyInterestFree: 20_000_000_000n,
          totalBorrowWithInterest: borrowedRaw,
          totalBorrowInterestFree: 10_000_000_000n,
          totalClaimAmount: 0n,
          interactingProtocol: NO_KEY,
          interactingTimestamp: 0n,
          interactingBalance: 0n,
        }),
      ),
    ],
    [
      POOL.rateModel,
      owned(
        JUPLEND_LIQUIDITY_PROGRAM,
        juplendRateModelLayout.encode({
          mint: MINT,
          version: 2,
          rateAtZero: 0,
          kink1Utilization: 8_500,
          rateAtKink1: 600,
          rateAtMax: 10_000,
          kink2Utilization: 9_300,
          rateAtKink2: 800,
        }),
      ),
    ],
    [POOL.supplyPosition, supplyPosition(POOL.lending, earnRaw, 1)],
    [holdingsOf('vault').supplyPosition, supplyPosition(walletOf('vault'), vaultRaw, 1)],
    [holdingsOf('free').supplyPosition, supplyPosition(walletOf('free'), 20_000_000_000n, 0)],
    [holdingsOf('vault').borrowPosition, borrowPosition(walletOf('vault'), borrowedRaw, 1)],
    [holdingsOf('free').borrowPosition, borrowPosition(walletOf('free'), 10_000_000_000n, 0)],
  ]);
  for (const name of [...USERS, ...PROTOCOLS]) {
    accounts.set(walletOf(name), wallet());
    accounts.set(holdingsOf(name).tokens, tokens(MINT, walletOf(name), EACH));
  }
  for (const name of USERS) {
    accounts.set(holdingsOf(name).fTokens, tokens(POOL.fTokenMint, walletOf(name), SHARES_EACH));
  }
  return accounts;
}

function lendingAdmin(): AccountState {
  const data = new Uint8Array(JUPLEND_LENDING_ADMIN_SIZE);
  data.set(
    juplendLendingAdminLayout.encode({
      authority: PAYER,
      liquidityProgram: JUPLEND_LIQUIDITY_PROGRAM,
      rebalancer: PAYER,
      nextLendingId: 2,
      auths: [PAYER],
      bump: LENDING_ADMIN_BUMP,
    }),
  );
  return owned(JUPLEND_LENDING_PROGRAM, data);
}

function supplyPosition(protocol: Address, amount: bigint, withInterest: 0 | 1): AccountState {
  const encoded = juplendUserSupplyPositionLayout.encode({
    protocol,
    mint: MINT,
    withInterest,
    amount,
    withdrawalLimit: (amount * 85n) / 100n,
    decayAmount: 0n,
    lastUpdate: START_TIME - 600n,
    expandPct: 2_500,
    expandDuration: 21_600,
    decayDuration: 0,
    baseWithdrawalLimit: 50_000_000_000n,
    status: 0,
  });
  return owned(JUPLEND_LIQUIDITY_PROGRAM, encoded);
}

function borrowPosition(protocol: Address, amount: bigint, withInterest: 0 | 1): AccountState {
  const encoded = juplendUserBorrowPositionLayout.encode({
    protocol,
    mint: MINT,
    withInterest,
    amount,
    debtCeiling: (amount * 110n) / 100n,
    lastUpdate: START_TIME - 600n,
    expandPct: 2_000,
    expandDuration: 21_600,
    baseDebtCeiling: 50_000_000_000n,
    maxDebtCeiling: 320_000_000_000n,
    status: 0,
  });
  return owned(JUPLEND_LIQUIDITY_PROGRAM, encoded);
}

function mint(authority: Address, supply: bigint): AccountState {
  const mintAuthority = { isSome: true, value: authority };
  return owned(
    TOKEN_PROGRAM,
    mintLayout.encode({ mintAuthority, supply, decimals: 6, isInitialized: true, freezeAuthority: NONE }),
  );
}

function tokens(ofMint: Address, owner: Address, amount: bigint): AccountState {
  const encoded = tokenAccountLayout.encode({
    mint: ofMint,
    owner,
    amount,
    delegate: NONE,
    state: 1,
    isNative: { isSome: false, value: 0n },
    delegatedAmount: 0n,
    closeAuthority: NONE,
  });
  return owned(TOKEN_PROGRAM, encoded);
}

function wallet(): AccountState {
  return { lamports: 1_000_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
}

function owned(owner: Address, bytes: ArrayLike<number>): AccountState {
  const data = Uint8Array.from(bytes);
  return { lamports: rentExempt(data.length), owner, data, executable: false };
}
