import {
  findBankVaultAuthority,
  findJuplendFTokenMint,
  findJuplendLending,
  findJuplendLendingAdmin,
  findJuplendLiquidity,
  findJuplendRateModel,
  findJuplendRewardsRateModel,
  findJuplendTokenReserve,
  findJuplendUserClaim,
  findJuplendUserSupplyPosition,
  JUPLEND_LENDING_ADMIN_SIZE,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  JUPLEND_REWARDS_PROGRAM,
  type JuplendRateModel,
  type JuplendTokenReserve,
  juplendLendingAdminLayout,
  juplendLendingLayout,
  juplendLiquidityLayout,
  juplendRateModelLayout,
  juplendRewardsRateModelLayout,
  juplendTokenReserveLayout,
  juplendUserClaimLayout,
  juplendUserSupplyPositionLayout,
  NO_KEY,
} from '@lending/programs';
import { juplendBorrowRate, juplendUtilization } from '@lending/venues';
import type { Address } from '@solana/kit';
import { createActor } from '#actors/actor.ts';
import type { AccountState } from '#engine/engine.ts';
import { deriveBankAddresses, deriveTokenAccount, tokenProgramOf } from '../bank-addresses.ts';
import type { DemoBank } from '../demo-bank.ts';
import { associatedTokenAccount, tokenAccount } from '../token-accounts.ts';
import { DEMO_TOKENS, type DemoToken, type DemoTokenName } from '../tokens.ts';
import { VENUE_BANKS } from '../venue-banks.ts';
import { JUPLEND_RESERVE_ROWS, type JuplendReserveRow } from './juplend-reserves.ts';
import { ownedBy, receiptMint } from './venue-account.ts';

const JUPLEND_ASSET_TAG = 6;
const PRICE_ONE = 10n ** 12n;
const BASIS_ONE = 10_000n;
const DAY = 86_400n;
/** Withdrawals: a fifth of what is supplied, again every six hours. Round figures of ours. */
const EXPAND_PCT = 2_000;
const EXPAND_SECONDS = 21_600;

type Placed = readonly [Address, AccountState];

/** Where the fTokens are that no bank of the demo market holds. */
function otherDepositorOf(token: DemoTokenName): Address {
  return createActor(`JupLend depositors of ${token}`).wallet;
}

/**
 * JupLend at mainnet's addresses: the liquidity layer, three Earn pools with what is lent of them, and what P0's banks hold there. The
 * books agree: vaults hold what was supplied and not lent, and every fToken is in some account. The vaults that supply the rest and borrow
 * are known by the layer's totals alone.
 */
export async function createJuplendAccounts(
  at: { readonly unixTimestamp: bigint; readonly slot: bigint },
  venueBanks: readonly DemoBank[] = VENUE_BANKS,
): Promise<readonly Placed[]> {
  const banks = venueBanks.filter(({ assetTag }) => assetTag === JUPLEND_ASSET_TAG);
  const parts = await Promise.all([
    sharedAccounts(),
    ...JUPLEND_RESERVE_ROWS.map((row) =>
      poolAccounts(
        row,
        banks.filter(({ token }) => token === row.token),
        at.unixTimestamp,
      ),
    ),
    ...banks.map(bankAccounts),
  ]);
  return parts.flat();
}

async function sharedAccounts(): Promise<readonly Placed[]> {
  const [[liquidity, liquidityBump], [admin, adminBump]] = await Promise.all([
    findJuplendLiquidity(),
    findJuplendLendingAdmin(),
  ]);
  const nobody = { authority: NO_KEY, rebalancer: NO_KEY, auths: [] };
  const encodedAdmin = juplendLendingAdminLayout.encode({
    ...nobody,
    liquidityProgram: JUPLEND_LIQUIDITY_PROGRAM,
    nextLendingId: JUPLEND_RESERVE_ROWS.length + 1,
    bump: adminBump,
  });
  const layer = { authority: NO_KEY, revenueCollector: NO_KEY, status: false, bump: liquidityBump };
  return [
    [liquidity, ownedBy(JUPLEND_LIQUIDITY_PROGRAM, juplendLiquidityLayout.encode(layer))],
    [admin, ownedBy(JUPLEND_LENDING_PROGRAM, encodedAdmin, JUPLEND_LENDING_ADMIN_SIZE)],
  ];
}

/** What the terms of a pool come to, in raw and base units. */
interface Books {
  readonly earnRaw: bigint;
  readonly borrowRaw: bigint;
  readonly fTokenSupply: bigint;
  readonly vaultAmount: bigint;
}

function booksOf(row: JuplendReserveRow): Books {
  const earnRaw = (row.supplyRaw * row.earnPart) / BASIS_ONE;
  const supplied = (row.supplyRaw * row.supplyPrice) / PRICE_ONE;
  const borrowed = (supplied * row.utilization) / BASIS_ONE + 1n;
  const borrowRaw = (borrowed * PRICE_ONE) / row.borrowPrice + 1n;
  return {
    earnRaw,
    borrowRaw,
    // What the pool can redeem, at the fToken's price.
    fTokenSupply: (earnRaw * row.supplyPrice) / row.tokenPrice,
    vaultAmount: supplied - (borrowRaw * row.borrowPrice) / PRICE_ONE,
  };
}

async function poolAccounts(
  row: JuplendReserveRow,
  banks: readonly DemoBank[],
  unixTimestamp: bigint,
): Promise<readonly Placed[]> {
  const token = DEMO_TOKENS[row.token];
  const addresses = await poolAddresses(token);
  const { lending, fTokenMint, rewards, tokenReserve, supplyPosition } = addresses;
  const books = booksOf(row);
  const held = banks.reduce((sum, { shares }) => sum + BigInt(shares.assets), 0n);
  const depositor = otherDepositorOf(row.token);
  const fToken = { ...token, mint: fTokenMint, symbol: `jl${token.symbol}` };
  const receipt = { supply: books.fTokenSupply, decimals: token.decimals, tokenProgram: tokenProgramOf(token) };
  const layer = (bytes: ArrayLike<number>) => ownedBy(JUPLEND_LIQUIDITY_PROGRAM, bytes);
  const model = rateModelOf(row, token);
  const depositorAccount = await deriveTokenAccount(depositor, fToken);
  const lendingFields = {
    mint: token.mint,
    fTokenMint,
    lendingId: row.lendingId,
    decimals: token.decimals,
    rewardsRateModel: rewards,
    liquidityExchangePrice: row.supplyPrice,
    tokenExchangePrice: row.tokenPrice,
    lastUpdateTimestamp: unixTimestamp,
    tokenReservesLiquidity: tokenReserve,
    supplyPositionOnLiquidity: supplyPosition,
    bump: addresses.lendingBump,
  };
  return [
    [lending, ownedBy(JUPLEND_LENDING_PROGRAM, juplendLendingLayout.encode(lendingFields))],
    [fTokenMint, receiptMint(addresses.lendingAdmin, receipt)],
    [rewards, ownedBy(JUPLEND_REWARDS_PROGRAM, rewardsBytes(row, token, addresses.rewardsBump, unixTimestamp))],
    [addresses.rateModel, layer(juplendRateModelLayout.encode(model))],
    [tokenReserve, layer(juplendTokenReserveLayout.encode(reserveOf(row, addresses, books, model, unixTimestamp)))],
    [supplyPosition, layer(supplyPositionBytes(lending, token, books.earnRaw, unixTimestamp))],
    [addresses.vault, associatedTokenAccount(token, addresses.liquidity, books.vaultAmount)],
    [depositorAccount, associatedTokenAccount(fToken, depositor, books.fTokenSupply - held)],
  ];
}

/** A bank's vault of fTokens, which holds its shares, and what a withdrawal passes through. */
async function bankAccounts(bank: DemoBank): Promise<readonly Placed[]> {
  const token = DEMO_TOKENS[bank.token];
  const [{ integration }, [authority], [fTokenMint]] = await Promise.all([
    deriveBankAddresses(bank),
    findBankVaultAuthority('liquidity', bank.address),
    findJuplendFTokenMint(token.mint),
  ]);
  const [, fTokenVault, intermediary] = integration;
  const [claim] = await findJuplendUserClaim(authority, token.mint);
  const claimed = juplendUserClaimLayout.encode({ user: authority, amount: 0n, mint: token.mint });
  const fToken = { ...token, mint: fTokenMint, symbol: `jl${token.symbol}` };
  return [
    [fTokenVault, tokenAccount(fToken, authority, BigInt(bank.shares.assets))],
    [intermediary, associatedTokenAccount(token, authority, 0n)],
    [claim, ownedBy(JUPLEND_LIQUIDITY_PROGRAM, claimed)],
  ];
}

async function poolAddresses(token: DemoToken) {
  const { mint } = token;
  const [fTokenMint] = await findJuplendFTokenMint(mint);
  const [lending, lendingBump] = await findJuplendLending(mint, fTokenMint);
  const [[lendingAdmin], [liquidity], [tokenReserve], [rateModel], [rewards, rewardsBump], [supplyPosition]] =
    await Promise.all([
      findJuplendLendingAdmin(),
      findJuplendLiquidity(),
      findJuplendTokenReserve(mint),
      findJuplendRateModel(mint),
      findJuplendRewardsRateModel(mint),
      findJuplendUserSupplyPosition(mint, lending),
    ]);
  const vault = await deriveTokenAccount(liquidity, token);
  const found = { fTokenMint, lending, lendingBump, lendingAdmin, liquidity, tokenReserve, rateModel };
  return { ...found, rewards, rewardsBump, supplyPosition, vault };
}

function rateModelOf({ curve }: JuplendReserveRow, { mint }: DemoToken): JuplendRateModel {
  return { mint, version: 2, ...curve };
}

/** With the rate that its curve gives for what is lent. */
function reserveOf(
  row: JuplendReserveRow,
  { vault }: { readonly vault: Address },
  books: Books,
  model: JuplendRateModel,
  unixTimestamp: bigint,
): JuplendTokenReserve {
  const totals = {
    totalSupplyWithInterest: row.supplyRaw,
    totalSupplyInterestFree: 0n,
    totalBorrowWithInterest: books.borrowRaw,
    totalBorrowInterestFree: 0n,
    totalClaimAmount: 0n,
  };
  const utilization = juplendUtilization(totals, { supply: row.supplyPrice, borrow: row.borrowPrice });
  return {
    ...totals,
    mint: model.mint,
    vault,
    borrowRate: Number(juplendBorrowRate(model, utilization)),
    feeOnInterest: row.feeOnInterest,
    lastUtilization: Number(utilization),
    lastUpdateTimestamp: unixTimestamp,
    supplyExchangePrice: row.supplyPrice,
    borrowExchangePrice: row.borrowPrice,
    maxUtilization: row.maxUtilization,
    interactingProtocol: NO_KEY,
    interactingTimestamp: 0n,
    interactingBalance: 0n,
  };
}

/** Rewards began a month before the market and end eleven months after. */
function rewardsBytes({ yearlyReward }: JuplendReserveRow, { mint }: DemoToken, bump: number, unixTimestamp: bigint) {
  const isPaid = yearlyReward > 0n;
  return juplendRewardsRateModelLayout.encode({
    mint,
    startTvl: isPaid ? 1n : 0n,
    duration: isPaid ? 365n * DAY : 0n,
    startTime: isPaid ? unixTimestamp - 30n * DAY : 0n,
    yearlyReward,
    nextDuration: 0n,
    nextRewardAmount: 0n,
    bump,
  });
}

function supplyPositionBytes(protocol: Address, { mint }: DemoToken, amount: bigint, unixTimestamp: bigint) {
  return juplendUserSupplyPositionLayout.encode({
    protocol,
    mint,
    withInterest: 1,
    amount,
    withdrawalLimit: amount - (amount * BigInt(EXPAND_PCT)) / BASIS_ONE,
    decayAmount: 0n,
    lastUpdate: unixTimestamp,
    expandPct: EXPAND_PCT,
    expandDuration: EXPAND_SECONDS,
    decayDuration: 0,
    baseWithdrawalLimit: amount / 20n,
    status: 0,
  });
}
