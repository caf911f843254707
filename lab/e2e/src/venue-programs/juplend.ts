import { JUPLEND_RESERVES } from '@lending/localnet';
import {
  encodeInstruction,
  findJuplendLiquidity,
  findJuplendRateModel,
  findJuplendUserClaim,
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendEarnWithdraw,
  juplendLendingLayout,
  juplendLiquidityInitClaimAccount,
  juplendLiquidityLayout,
  juplendLiquidityUpdateExchangePrice,
  juplendRateModelLayout,
  juplendRewardsRateModelLayout,
  juplendTokenReserveLayout,
  juplendUserSupplyPositionLayout,
  mintLayout,
  SYSTEM_PROGRAM,
  tokenAccountLayout,
} from '@lending/programs';
import { AccountRole, type Address } from '@solana/kit';
import { PAYER } from '../real-program/addresses.ts';
import {
  type Call,
  type Change,
  customerCalls,
  type Fields,
  holdingsOf,
  type Named,
  START_TIME,
  set,
  startOf,
  USERS,
  type User,
  walletOf,
} from './venue.ts';

const [pool] = JUPLEND_RESERVES.filter(({ token }) => token === 'USDC');
if (pool === undefined) throw new TypeError('JupLend has no pool of USDC');
const RESERVES: Named<'usd'> = { usd: pool };
const calls = customerCalls('juplend', RESERVES);
const opened = await startOf([pool], { USDC: 10n ** 12n }, []);
const dataOf = (address: Parameters<typeof opened.accounts.get>[0]) =>
  opened.accounts.get(address)?.data ?? new Uint8Array();
const lending = juplendLendingLayout.decode(dataOf(pool.address));
const { mint } = lending;

/** The pool's accounts. */
export const POOL = {
  lending: pool.address,
  fTokenMint: lending.fTokenMint,
  tokenReserve: lending.tokenReservesLiquidity,
  supplyPosition: lending.supplyPositionOnLiquidity,
  rewards: lending.rewardsRateModel,
  rateModel: (await findJuplendRateModel(mint))[0],
  liquidity: (await findJuplendLiquidity())[0],
  vault: juplendTokenReserveLayout.decode(dataOf(lending.tokenReservesLiquidity)).vault,
} as const;

const CLAIMS = new Map(
  await Promise.all(USERS.map(async (user) => [user, (await findJuplendUserClaim(walletOf(user), mint))[0]] as const)),
);
export function claimOf(user: User) {
  const claim = CLAIMS.get(user);
  if (claim === undefined) throw new TypeError(`There is no ${user}`);
  return claim;
}

/** Where a withdrawal names a claim account. */
const CLAIM = juplendEarnWithdraw.accounts.findIndex(({ name }) => name === 'claimAccount');

export const heldBy = (user: User) => holdingsOf(user, pool, lending.fTokenMint);

/** Turns tokens into fTokens. */
export const deposit = (user: User, amount: bigint): Call => calls.supply(user, 'usd', amount);
/** Turns so many fTokens into tokens. */
export const redeem = (user: User, shares: bigint): Call => calls.redeem(user, 'usd', shares);
/** Turns fTokens into so many tokens; it names what a redemption names, and a claim account that it has no use for. */
export const withdraw = (user: User, amount: bigint, claim?: Address): Call => ({
  text: `${user} withdraw ${amount}`,
  on: (chain) =>
    redeem(user, amount)
      .on(chain)
      .map((instruction) => {
        const data = new Uint8Array(instruction.data ?? []);
        data.set(juplendEarnWithdraw.discriminator);
        const accounts = [...(instruction.accounts ?? [])];
        if (claim !== undefined) accounts[CLAIM] = { address: claim, role: AccountRole.WRITABLE };
        return { ...instruction, accounts, data };
      }),
});
export const updateRate: Call = calls.refresh('usd');

export const updateExchangePrice: Call = {
  text: 'update the exchange price',
  on: () => {
    const { tokenReserve, rateModel } = POOL;
    const layout = juplendLiquidityUpdateExchangePrice;
    return [encodeInstruction(layout, JUPLEND_LIQUIDITY_PROGRAM, { tokenReserve, rateModel }, { mint })];
  },
};

export const initClaim = (user: User): Call => ({
  text: `${user} opens a claim account`,
  on: () => {
    const accounts = { signer: PAYER, claimAccount: claimOf(user), systemProgram: SYSTEM_PROGRAM };
    const args = { mint, user: walletOf(user) };
    return [encodeInstruction(juplendLiquidityInitClaimAccount, JUPLEND_LIQUIDITY_PROGRAM, accounts, args)];
  },
});

const setting =
  <T extends object>(account: Parameters<typeof set<T>>[0], layout: Parameters<typeof set<T>>[1]) =>
  (fields: Fields<T>): Change =>
    set(account, layout, fields);
export const setReserve = setting(POOL.tokenReserve, juplendTokenReserveLayout);
export const setModel = setting(POOL.rateModel, juplendRateModelLayout);
export const setPosition = setting(POOL.supplyPosition, juplendUserSupplyPositionLayout);
export const setLending = setting(POOL.lending, juplendLendingLayout);
export const setRewards = setting(POOL.rewards, juplendRewardsRateModelLayout);
export const setLiquidity = setting(POOL.liquidity, juplendLiquidityLayout);
export const setVault = setting(POOL.vault, tokenAccountLayout);

const EARN_RAW = 320_000_000_000n;
const SHARES_EACH = 100_000_000_000n;

/** A pool that was used: prices above one, depositors, and others who borrow, some of them without interest. */
export const START = await startOf([pool], { USDC: 10n ** 12n }, [
  setLending({
    liquidityExchangePrice: 1_029_000_000_000n,
    tokenExchangePrice: 1_045_000_000_000n,
    lastUpdateTimestamp: START_TIME - 600n,
  }),
  setReserve({
    borrowRate: 442,
    lastUtilization: 6_000,
    lastUpdateTimestamp: START_TIME - 600n,
    supplyExchangePrice: 1_029_996_710_353n,
    borrowExchangePrice: 1_045_123_456_789n,
    maxUtilization: 9_500,
    totalSupplyWithInterest: EARN_RAW + 80_000_000_000n,
    totalSupplyInterestFree: 20_000_000_000n,
    totalBorrowWithInterest: 250_000_000_000n,
    totalBorrowInterestFree: 10_000_000_000n,
  }),
  setModel({ kink1Utilization: 8_500, rateAtKink1: 600, kink2Utilization: 9_300, rateAtKink2: 800, rateAtMax: 10_000 }),
  setPosition({
    amount: EARN_RAW,
    withdrawalLimit: (EARN_RAW * 85n) / 100n,
    lastUpdate: START_TIME - 600n,
    expandPct: 2_500,
    baseWithdrawalLimit: 50_000_000_000n,
  }),
  setVault({ amount: 170_000_000_000n }),
  set(POOL.fTokenMint, mintLayout, { supply: 3n * SHARES_EACH }),
  ...USERS.map((user) => set(heldBy(user).receipts, tokenAccountLayout, { amount: SHARES_EACH })),
]);
