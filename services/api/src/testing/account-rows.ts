import { createHash } from 'node:crypto';
import type {
  AccountRow,
  ActivityRow,
  BalanceRow,
  BankMeasureRow,
  BankRow,
  ChainProgressRow,
  WalletRow,
} from '@lending/store';
import { getAddressDecoder } from '@solana/kit';
import { bankRow, CHAIN_TIME_MS, SOL_BANK, USDC_BANK } from './bank-row.ts';

/** Addresses of 32 bytes that are nobody's. */
export const WALLET = 'BPFLoaderUpgradeab1e11111111111111111111111';
export const ACCOUNT = 'Config1111111111111111111111111111111111111';
export const OTHER_ACCOUNT = 'Stake11111111111111111111111111111111111111';
export const LIQUIDATOR = 'Vote111111111111111111111111111111111111111';
export const SOL_MINT = 'So11111111111111111111111111111111111111112';
const GROUP = '4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8';

const NO_WINDOW = {
  maxOutflow: '0',
  windowDuration: '0',
  windowStart: '0',
  prevWindowOutflow: '0',
  curWindowOutflow: '0',
};
const NO_LIMITER = { hourly: NO_WINDOW, daily: NO_WINDOW };
const U64_MAX = '18446744073709551615';

/** Shares worth one base unit each; a million tokens of six decimals deposited, half of them lent out. */
export const LEDGER = {
  assetShareValue: '1',
  liabilityShareValue: '1',
  totalAssetShares: '1000000000000',
  totalLiabilityShares: '500000000000',
  insuranceFees: '0',
  groupFees: '0',
  programFees: '0',
  lendingPositions: 5,
  borrowingPositions: 5,
  flags: '0',
  depositLimit: U64_MAX,
  borrowLimit: U64_MAX,
  operationalState: 1,
  originationFee: '0',
  rateLimiter: NO_LIMITER,
  lastUpdate: String(CHAIN_TIME_MS / 1000),
};

/** Nothing has touched it for an hour, which was worth a hundred-thousandth on deposits and two on debts. */
export const GROWN_LEDGER = {
  ...LEDGER,
  assetShareValue: '1.00001',
  liabilityShareValue: '1.00002',
  stored: {
    assetShareValue: '1',
    liabilityShareValue: '1',
    accruesFrom: String(CHAIN_TIME_MS / 1000 - 3_600),
    depositApr: '0.0876',
    borrowApr: '0.1752',
  },
};

export function priceColumn(usd: string, low = usd, high = usd) {
  const band = { spot: usd, low, high };
  return { spot: band, ema: band };
}

export function measureRow(changes: Partial<BankMeasureRow> = {}): BankMeasureRow {
  return {
    bank: USDC_BANK,
    ledger: LEDGER,
    price: priceColumn('1'),
    vault_base: '500000000000',
    transfer_fee: null,
    group: { isPaused: false, rateLimiter: NO_LIMITER, programFeeRate: '0.1' },
    total_asset_value_init_limit_usd: null,
    source: 'chain',
    slot: 400_001_000n,
    slot_time: new Date(CHAIN_TIME_MS),
    ...changes,
  };
}

/** Dollars at one, SOL at 150: weights 0.9 and 0.95 as collateral, 1.1 and 1.05 as debt, exactly. */
export const BANKS: readonly BankRow[] = [
  bankRow({ price_usd: '1', price_low_usd: '1', price_high_usd: '1' }),
  bankRow({
    address: SOL_BANK,
    mint: SOL_MINT,
    symbol: 'SOL',
    decimals: 9,
    price_usd: '150',
    price_low_usd: '150',
    price_high_usd: '150',
    deposit_apr: '0.02',
    borrow_apr: '0.06',
  }),
];
export const MEASURES: readonly BankMeasureRow[] = [
  measureRow(),
  measureRow({
    bank: SOL_BANK,
    price: priceColumn('150'),
    vault_base: '500000000000000',
    ledger: { ...LEDGER, totalAssetShares: '1000000000000000', totalLiabilityShares: '500000000000000' },
  }),
];

/** Both grown, SOL as it was measured half an hour before. */
export const UNEVEN_MEASURES: readonly BankMeasureRow[] = [
  measureRow({ ledger: GROWN_LEDGER }),
  measureRow({
    ...{ bank: SOL_BANK, price: priceColumn('150'), ledger: GROWN_LEDGER },
    ...{ slot: 400_000_500n, slot_time: new Date(CHAIN_TIME_MS - 1_800_000) },
  }),
];

export function balanceRow(changes: Partial<BalanceRow> = {}): BalanceRow {
  return {
    bank: SOL_BANK,
    slot_index: 0,
    asset_tag: 0,
    order_tag: 0,
    asset_shares: '10000000000',
    liability_shares: '0',
    last_update: '0',
    premium_rate: 0,
    premium_outstanding: '0',
    ...changes,
  };
}

/** Ten SOL (1,500 USD) against 600 dollars of debt. */
export function accountRow(changes: Partial<AccountRow> = {}): AccountRow {
  return {
    address: ACCOUNT,
    group_address: GROUP,
    authority: WALLET,
    flags: '0',
    derivation_index: 0,
    third_party_id: 0,
    active_orders: 0,
    liquidation_tagged_at: null,
    migrated_from: null,
    migrated_to: null,
    is_closed: false,
    source: 'chain',
    slot: 400_000_990n,
    slot_time: new Date(CHAIN_TIME_MS - 4_000),
    balances: [
      balanceRow(),
      balanceRow({ bank: USDC_BANK, slot_index: 1, asset_shares: '0', liability_shares: '600000000' }),
    ],
    ...changes,
  };
}

export const TIP: ChainProgressRow = {
  tip_slot: 400_001_005n,
  tip_time: new Date(CHAIN_TIME_MS + 2_000),
  root_slot: 400_000_970n,
  source: 'chain',
};

const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

/** A deposit of two SOL. */
export function activityRow(changes: Partial<ActivityRow> = {}): ActivityRow {
  return {
    id: `${SIGNATURE}:2`,
    signature: SIGNATURE,
    instruction_index: 2,
    inner_index: null,
    kind: 'deposit',
    group_id: null,
    account: ACCOUNT,
    authority: WALLET,
    actor: WALLET,
    counterparty: null,
    fee_lamports: 5_000n,
    tip_lamports: 0n,
    finality: 'finalized',
    liquidation: null,
    rebalance: null,
    slot: 400_000_500n,
    time: new Date(CHAIN_TIME_MS - 200_000),
    legs: [
      {
        bank: SOL_BANK,
        mint: SOL_MINT,
        action: 'deposit',
        amount_base: '2000000000',
        shares: null,
        closes_side: false,
        premium_settled: null,
        premium_written_off: null,
      },
    ],
    ...changes,
  };
}

export function walletRow(changes: Partial<WalletRow> = {}): WalletRow {
  return {
    address: WALLET,
    lamports: '3000000000',
    holdings_left_out: 0,
    source: 'chain',
    slot: 400_001_001n,
    slot_time: new Date(CHAIN_TIME_MS),
    holdings: [],
    ...changes,
  };
}

/** An address that nobody has, always the same for a name: its letters are as random as real ones, and take as many tokens. */
export function madeAddress(name: string): string {
  return getAddressDecoder().decode(createHash('sha256').update(name).digest());
}
