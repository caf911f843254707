import {
  findBankVaultAuthority,
  findDerivedAddress,
  findSolendMarketAuthority,
  MARGINFI_PROGRAM,
  PYTH_RECEIVER_PROGRAM,
  SOLEND_MAIN_MARKET,
  SOLEND_PROGRAM,
  type SolendObligation,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  solendLendingMarketLayout,
  solendObligationLayout,
  solendReserveLayout,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { type Address, address, getAddressEncoder, type ReadonlyUint8Array } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { deriveTokenAccount } from '../bank-addresses.ts';
import type { DemoBank } from '../demo-bank.ts';
import { DEMO_FEEDS } from '../feeds.ts';
import { associatedTokenAccount, tokenAccount } from '../token-accounts.ts';
import { DEMO_TOKENS, type DemoToken } from '../tokens.ts';
import { VENUE_BANKS } from '../venue-banks.ts';
import { SOLEND_RESERVE_ROWS, type SolendReserveRow } from './solend-reserves.ts';
import { ownedBy, receiptMint } from './venue-account.ts';

const MARKET_OWNER = address('5pHk2TmnqQzRF9L6egy5FfiyBgS7G9cMZ5RFaJAvghzw');
const SOLEND_ASSET_TAG = 5;
const U64_MAX = 2n ** 64n - 1n;
/** What may leave the market: a hundred million USD in about a day. Ours: nobody has published mainnet's. */
const MARKET_OUTFLOW = { windowSlots: 216_000n, most: 100_000_000n };
const PERCENT_WAD = 10n ** 16n;
/** Fees of mainnet's USDC reserve: what a loan costs once, the part of it that its broker gets, what of the interest the protocol keeps. */
const FEES = { borrowFeeWad: PERCENT_WAD / 10n, flashLoanFeeWad: PERCENT_WAD / 20n, hostFeePercentage: 20 };
const TAKE_RATE = 20;
const LIQUIDATION_FEE = 19;

const emptyReserve = solendReserveLayout.decode(new Uint8Array(solendReserveLayout.fixedSize));
const emptyMarket = solendLendingMarketLayout.decode(new Uint8Array(solendLendingMarketLayout.fixedSize));
const emptyObligation = solendObligationLayout.decode(new Uint8Array(solendObligationLayout.fixedSize));
const addressEncoder = getAddressEncoder();

type Placed = readonly [Address, AccountState];

/**
 * Save's main pool with the reserves of the demo market, and the obligations of P0's banks in it. All other receipts and all debts are
 * known by the reserves' totals alone.
 */
export async function createSolendAccounts(
  { slot }: { readonly unixTimestamp: bigint; readonly slot: bigint },
  venueBanks: readonly DemoBank[] = VENUE_BANKS,
): Promise<readonly Placed[]> {
  const [authority, bump] = await findSolendMarketAuthority(SOLEND_MAIN_MARKET);
  const banks = venueBanks.filter(({ assetTag }) => assetTag === SOLEND_ASSET_TAG);
  const ofBanks = await Promise.all(banks.map((bank) => bankAccounts(bank, slot)));
  return [
    [SOLEND_MAIN_MARKET, marketAccount(bump, slot)],
    ...SOLEND_RESERVE_ROWS.flatMap((row) => reserveAccounts(row, authority, slot)),
    ...ofBanks.flat(),
  ];
}

function marketAccount(bumpSeed: number, slot: bigint): AccountState {
  const quoteCurrency = new Uint8Array(32);
  quoteCurrency.set(new TextEncoder().encode('USD'));
  return solendAccount(
    solendLendingMarketLayout.encode({
      ...emptyMarket,
      version: 1,
      bumpSeed,
      owner: MARKET_OWNER,
      quoteCurrency,
      tokenProgramId: TOKEN_PROGRAM,
      oracleProgramId: PYTH_RECEIVER_PROGRAM,
      switchboardOracleProgramId: SWITCHBOARD_ON_DEMAND_PROGRAM,
      rateLimiter: rateLimiter(MARKET_OUTFLOW, slot),
      riskAuthority: MARKET_OWNER,
    }),
  );
}

function reserveAccounts(row: SolendReserveRow, authority: Address, slot: bigint): Placed[] {
  const token = DEMO_TOKENS[row.token];
  const receipt = receiptOf(row);
  return [
    [row.address, reserveAccount(row, slot)],
    [row.liquiditySupply, tokenAccount(token, authority, row.available)],
    [row.feeReceiver, tokenAccount(token, authority, 0n)],
    [row.collateralMint, receiptMint(authority, { supply: row.receipts, decimals: receipt.decimals })],
    // All receipts lie under obligations.
    [row.collateralSupply, tokenAccount(receipt, authority, row.receipts)],
  ];
}

function reserveAccount(row: SolendReserveRow, slot: bigint): AccountState {
  const [minBorrowRate, optimalBorrowRate, maxBorrowRate, superMaxBorrowRate] = row.rates;
  const price = basePrice(row);
  return solendAccount(
    solendReserveLayout.encode({
      ...emptyReserve,
      version: 1,
      lastUpdate: { slot, stale: 1 },
      lendingMarket: SOLEND_MAIN_MARKET,
      liquidity: {
        mintPubkey: DEMO_TOKENS[row.token].mint,
        mintDecimals: DEMO_TOKENS[row.token].decimals,
        supplyPubkey: row.liquiditySupply,
        pythOracle: row.pythOracle,
        switchboardOracle: row.switchboardOracle,
        availableAmount: row.available,
        borrowedAmountWads: row.borrowedWads,
        cumulativeBorrowRateWads: row.cumulativeBorrowRateWads,
        marketPrice: price,
      },
      collateral: {
        mintPubkey: row.collateralMint,
        mintTotalSupply: row.receipts,
        supplyPubkey: row.collateralSupply,
      },
      config: {
        optimalUtilizationRate: row.optimalUtilization,
        loanToValueRatio: row.loanToValue,
        liquidationBonus: row.liquidationBonus,
        liquidationThreshold: row.liquidationThreshold,
        minBorrowRate,
        optimalBorrowRate,
        maxBorrowRate,
        fees: FEES,
        depositLimit: row.depositLimit,
        borrowLimit: row.borrowLimit,
        feeReceiver: row.feeReceiver,
        protocolLiquidationFee: LIQUIDATION_FEE,
        protocolTakeRate: TAKE_RATE,
      },
      accumulatedProtocolFeesWads: row.protocolFeesWads,
      rateLimiter: row.outflow === undefined ? emptyReserve.rateLimiter : rateLimiter(row.outflow, slot),
      smoothedMarketPrice: price,
      maxUtilizationRate: row.maxUtilization,
      superMaxBorrowRate,
      maxLiquidationBonus: row.maxLiquidationBonus,
      maxLiquidationThreshold: row.maxLiquidationThreshold,
      attributedBorrowLimitOpen: U64_MAX,
      attributedBorrowLimitClose: U64_MAX,
    }),
  );
}

/** The obligation behind a bank, and the account its receipts pass through. */
async function bankAccounts(bank: DemoBank, slot: bigint): Promise<readonly Placed[]> {
  const row = rowOf(bank);
  const [[authority], [obligation]] = await Promise.all([
    findBankVaultAuthority('liquidity', bank.address),
    findDerivedAddress({
      programAddress: MARGINFI_PROGRAM,
      seeds: ['solend_obligation', addressEncoder.encode(bank.address)],
    }),
  ]);
  const deposits = [depositOf(row, BigInt(bank.shares.assets))];
  const receipt = receiptOf(row);
  return [
    [obligation, obligationAccount({ owner: authority, deposits }, slot)],
    [await deriveTokenAccount(authority, receipt), associatedTokenAccount(receipt, authority, 0n)],
  ];
}

function obligationAccount(fields: Partial<SolendObligation>, slot: bigint): AccountState {
  return solendAccount(
    solendObligationLayout.encode({
      ...emptyObligation,
      version: 1,
      lastUpdate: { slot, stale: 1 },
      lendingMarket: SOLEND_MAIN_MARKET,
      ...fields,
      _unused: new Uint8Array(),
    }),
  );
}

function depositOf({ address: depositReserve }: SolendReserveRow, depositedAmount: bigint) {
  return { depositReserve, depositedAmount, marketValue: 0n, attributedBorrowValue: 0n, _padding: new Uint8Array(16) };
}

function rateLimiter({ windowSlots, most }: { readonly windowSlots: bigint; readonly most: bigint }, slot: bigint) {
  return {
    maxOutflow: most,
    windowDuration: windowSlots,
    previousQuantity: 0n,
    windowStart: slot - (slot % windowSlots),
    currentQuantity: 0n,
  };
}

/** Where the feed's walk begins, wads. */
function basePrice({ feed }: SolendReserveRow): bigint {
  const { baseRaw, exponent } = DEMO_FEEDS[feed];
  return baseRaw * 10n ** BigInt(18 + exponent);
}

function receiptOf({ token, collateralMint, receipts }: SolendReserveRow): DemoToken {
  const { symbol, decimals } = DEMO_TOKENS[token];
  return { symbol: `c${symbol}`, mint: collateralMint, decimals, tokenProgram: 'spl', supply: receipts };
}

function rowOf({ address: bank, venueAccount }: DemoBank): SolendReserveRow {
  const row = SOLEND_RESERVE_ROWS.find((each) => each.address === venueAccount);
  if (row === undefined) throw new TypeError(`The bank ${bank} stands on no reserve of Save`);
  return row;
}

function solendAccount(data: ReadonlyUint8Array): AccountState {
  return ownedBy(SOLEND_PROGRAM, data);
}
