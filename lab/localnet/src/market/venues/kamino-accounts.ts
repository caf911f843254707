import {
  findBankVaultAuthority,
  findDerivedAddress,
  findKlendMarketAuthority,
  findKlendObligation,
  findKlendUserMetadata,
  KLEND_PROGRAM,
  type KlendReserve,
  klendMarketLayout,
  klendObligationLayout,
  klendReserveLayout,
  klendUserMetadataLayout,
  NO_KEY,
} from '@lending/programs';
import { type Address, address, getAddressEncoder, type ReadonlyUint8Array } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { tokenProgramOf } from '../bank-addresses.ts';
import type { DemoBank } from '../demo-bank.ts';
import { DEMO_FEEDS } from '../feeds.ts';
import { tokenAccount } from '../token-accounts.ts';
import { DEMO_TOKENS, type DemoToken } from '../tokens.ts';
import { VENUE_BANKS } from '../venue-banks.ts';
import { farmAccount } from './kamino-farm.ts';
import {
  KAMINO_FARM,
  KAMINO_MARKET_ROWS,
  KAMINO_RESERVE_ROWS,
  type KaminoMarketRow,
  type KaminoPoolAddresses,
  type KaminoReserveRow,
} from './kamino-reserves.ts';
import { emptyOf, ownedBy, receiptMint } from './venue-account.ts';

const KAMINO_ASSET_TAG = 3;
/** Who administers Kamino's markets on mainnet. */
const MARKET_OWNER = address('A9rQoX1sictAQkyXxaZA8nz674xutHwoqpK2mwLyexCZ');
const U64_MAX = 2n ** 64n - 1n;
const DAY = 86_400n;
/** Windows of the caps began an hour ago, so that they are neither new nor over. */
const HOUR = 3_600n;
const ALL_PRICE_CHECKS = 63;
const UNUSED_CHAIN = [0xffff, 0xffff, 0xffff, 0xffff];
/** How far Pyth's average may stray, and how old it may be. Switchboard's feeds have none beside them. */
const AVERAGE = { toleranceBps: 300n, maxAgeSeconds: 240n };
const CTOKEN_DECIMALS = 6;

const emptyMarket = emptyOf(klendMarketLayout);
const emptyReserve = emptyOf(klendReserveLayout);
const emptyObligation = emptyOf(klendObligationLayout);
const emptyMetadata = emptyOf(klendUserMetadataLayout);

type Placed = readonly [Address, AccountState];
interface Now {
  readonly unixTimestamp: bigint;
  readonly slot: bigint;
}

/**
 * Kamino's markets with the reserves of the demo market, and the obligations of P0's banks in them. All cTokens lie under obligations;
 * those of everybody else, and all debts, are known by the reserves' totals alone.
 */
export async function createKaminoAccounts(
  now: Now,
  venueBanks: readonly DemoBank[] = VENUE_BANKS,
): Promise<readonly Placed[]> {
  const banks = venueBanks.filter(({ assetTag }) => assetTag === KAMINO_ASSET_TAG);
  const parts = await Promise.all([
    ...KAMINO_MARKET_ROWS.map(async (row) => [await marketAccount(row)]),
    ...KAMINO_RESERVE_ROWS.map((row) => reserveAccounts(row, now)),
    ...banks.map((bank) => bankAccounts(bank, now)),
  ]);
  return [...parts.flat(), [KAMINO_FARM, farmAccount(now)]];
}

async function marketAccount(row: KaminoMarketRow): Promise<Placed> {
  const [, bump] = await findKlendMarketAuthority(row.address);
  const data = klendMarketLayout.encode({
    ...emptyMarket,
    version: 1n,
    bumpSeed: BigInt(bump),
    lendingMarketOwner: MARKET_OWNER,
    lendingMarketOwnerCached: MARKET_OWNER,
    quoteCurrency: paddedText('USD'),
    liquidationMaxDebtCloseFactorPct: 20,
    insolvencyRiskUnhealthyLtvPct: 95,
    minFullLiquidationValueThreshold: 2n,
    maxLiquidatableDebtMarketValueAtOnce: 1_000_000n,
    globalAllowedBorrowValue: row.globalAllowedBorrowUsd,
    minValueSkipLiquidationLtvChecks: U64_MAX,
    minValueSkipLiquidationBfChecks: U64_MAX,
    name: paddedText(row.name),
    minInitialDepositAmount: 100_000n,
    reserveRewardsMaxAprBps: row.rewardsMaxAprBps,
  });
  return [row.address, klendAccount(data)];
}

async function reserveAccounts(row: KaminoReserveRow, now: Now): Promise<readonly Placed[]> {
  const [authority] = await findKlendMarketAuthority(row.market);
  const pool = row.pool ?? (await derivePool(row));
  const token = DEMO_TOKENS[row.token];
  const receipt = { ...token, symbol: `c${row.token}`, mint: pool.cTokenMint, tokenProgram: 'spl' } as const;
  const held = row.available + (row.rewards?.available ?? 0n);
  return [
    [row.address, klendAccount(klendReserveLayout.encode(reserveOf(row, pool, now)))],
    [pool.supplyVault, tokenAccount(token, authority, held)],
    [pool.feeVault, tokenAccount(token, authority, 0n)],
    [pool.cTokenMint, receiptMint(authority, { supply: row.receipts, decimals: CTOKEN_DECIMALS })],
    [pool.cTokenVault, tokenAccount(receipt, authority, row.receipts)],
  ];
}

function reserveOf(row: KaminoReserveRow, pool: KaminoPoolAddresses, now: Now): KlendReserve {
  const token: DemoToken = DEMO_TOKENS[row.token];
  const { liquidity, collateral, withdrawQueue } = emptyReserve;
  return {
    ...emptyReserve,
    version: 1n,
    lastUpdate: { ...emptyReserve.lastUpdate, slot: now.slot, priceStatus: ALL_PRICE_CHECKS },
    lendingMarket: row.market,
    farmCollateral: row.farm ?? NO_KEY,
    liquidity: {
      ...liquidity,
      mintPubkey: token.mint,
      supplyVault: pool.supplyVault,
      feeVault: pool.feeVault,
      totalAvailableAmount: row.available,
      borrowedAmountSf: row.borrowedSf,
      marketPriceSf: basePriceSf(row),
      marketPriceLastUpdatedTs: now.unixTimestamp,
      mintDecimals: BigInt(token.decimals),
      cumulativeBorrowRateBsf: {
        ...liquidity.cumulativeBorrowRateBsf,
        value: [row.cumulativeBorrowRateSf, 0n, 0n, 0n],
      },
      accumulatedProtocolFeesSf: row.protocolFeesSf,
      tokenProgram: tokenProgramOf(token),
      rewardsAmountAvailable: row.rewards?.available ?? 0n,
    },
    collateral: {
      ...collateral,
      mintPubkey: pool.cTokenMint,
      mintTotalSupply: row.receipts,
      supplyVault: pool.cTokenVault,
    },
    config: configOf(row, now),
    borrowedAmountOutsideElevationGroup: row.borrowedSf >> 60n,
    withdrawQueue,
  };
}

function configOf(row: KaminoReserveRow, now: Now): KlendReserve['config'] {
  const last = row.curve.at(-1) ?? [10_000, 0];
  const since = now.unixTimestamp > HOUR ? now.unixTimestamp - HOUR : 0n;
  const cap = (configCapacity: bigint) => ({
    configCapacity,
    currentTotal: 0n,
    lastIntervalStartTimestamp: since,
    configIntervalLengthSeconds: DAY,
  });
  return {
    ...emptyReserve.config,
    protocolTakeRatePct: row.takeRatePct,
    loanToValuePct: row.loanToValuePct,
    liquidationThresholdPct: row.liquidationThresholdPct,
    minLiquidationBonusBps: 250,
    maxLiquidationBonusBps: 1_000,
    badDebtLiquidationBonusBps: 99,
    deleveragingMarginCallPeriodSecs: 7n * DAY,
    deleveragingThresholdDecreaseBpsPerDay: 7_200n,
    borrowRateCurve: {
      points: Array.from({ length: 11 }, (_, index) => {
        const [utilizationRateBps, borrowRateBps] = row.curve[index] ?? last;
        return { utilizationRateBps, borrowRateBps };
      }),
    },
    borrowFactorPct: row.borrowFactorPct,
    depositLimit: row.depositLimit,
    borrowLimit: row.borrowLimit,
    tokenInfo: tokenInfoOf(row),
    depositWithdrawalCap: cap(row.dailyCaps.deposits),
    debtWithdrawalCap: cap(row.dailyCaps.debts),
    utilizationLimitBlockBorrowingAbovePct: row.utilizationLimitPct ?? 0,
    borrowLimitOutsideElevationGroup: U64_MAX,
    rewardsAmountPerSlot: row.rewards?.perSlot ?? 0n,
  };
}

function tokenInfoOf(row: KaminoReserveRow): KlendReserve['config']['tokenInfo'] {
  const feed = DEMO_FEEDS[row.feed];
  const isPyth = feed.kind === 'pyth';
  const [lower, upper] = row.heuristicCents ?? [0n, 0n];
  const { tokenInfo } = emptyReserve.config;
  return {
    ...tokenInfo,
    name: paddedText(row.token),
    heuristic: { lower, upper, exp: row.heuristicCents === undefined ? 0n : 2n },
    maxTwapDivergenceBps: isPyth ? AVERAGE.toleranceBps : 0n,
    maxAgePriceSeconds: row.maxPriceAgeSeconds,
    maxAgeTwapSeconds: AVERAGE.maxAgeSeconds,
    scopeConfiguration: { priceFeed: NO_KEY, priceChain: UNUSED_CHAIN, twapChain: UNUSED_CHAIN },
    switchboardConfiguration: { priceAggregator: isPyth ? NO_KEY : feed.account, twapAggregator: NO_KEY },
    pythConfiguration: { price: isPyth ? feed.account : NO_KEY },
  };
}

/** Where the feed starts, as klend scales it. */
function basePriceSf({ feed }: KaminoReserveRow): bigint {
  const { baseRaw, exponent } = DEMO_FEEDS[feed];
  return (baseRaw << 60n) / 10n ** BigInt(-exponent);
}

/** The bank's vault authority owns all cTokens that the bank's shares stand for. */
async function bankAccounts(bank: DemoBank, { slot }: Now): Promise<readonly Placed[]> {
  const { venueAccount, venueMarket } = bank;
  if (venueAccount === undefined || venueMarket === undefined) {
    throw new TypeError(`Kamino bank ${bank.address} names no reserve or market`);
  }
  const [owner] = await findBankVaultAuthority('liquidity', bank.address);
  const [metadata, bump] = await findKlendUserMetadata(owner);
  const plain = { tag: 0, id: 0, seed1: NO_KEY, seed2: NO_KEY };
  const [obligation] = await findKlendObligation({ ...plain, owner, market: venueMarket });
  const depositedAmount = BigInt(bank.shares.assets);
  const deposits = emptyObligation.deposits.map((deposit, index) =>
    index === 0 && depositedAmount > 0n ? { ...deposit, depositReserve: venueAccount, depositedAmount } : deposit,
  );
  const state = {
    ...emptyObligation,
    // Stale, as every obligation is that nobody refreshed in this slot.
    lastUpdate: { ...emptyObligation.lastUpdate, slot, stale: 1 },
    lendingMarket: venueMarket,
    owner,
    deposits,
  };
  return [
    [obligation, klendAccount(klendObligationLayout.encode(state))],
    [metadata, klendAccount(klendUserMetadataLayout.encode({ ...emptyMetadata, bump: BigInt(bump), owner }))],
  ];
}

/** The addresses of a reserve made before 2025. */
async function derivePool({ market, token }: KaminoReserveRow): Promise<KaminoPoolAddresses> {
  const encode = getAddressEncoder().encode;
  const seeds = [encode(market), encode(DEMO_TOKENS[token].mint)];
  const at = async (prefix: string) =>
    (await findDerivedAddress({ programAddress: KLEND_PROGRAM, seeds: [prefix, ...seeds] }))[0];
  return {
    supplyVault: await at('reserve_liq_supply'),
    feeVault: await at('fee_receiver'),
    cTokenMint: await at('reserve_coll_mint'),
    cTokenVault: await at('reserve_coll_supply'),
  };
}

function klendAccount(data: ReadonlyUint8Array): AccountState {
  return ownedBy(KLEND_PROGRAM, data);
}

function paddedText(text: string): Uint8Array {
  const bytes = new Uint8Array(32);
  bytes.set(new TextEncoder().encode(text));
  return bytes;
}
