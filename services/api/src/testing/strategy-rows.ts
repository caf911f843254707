import type { BankMeasureRow, BankRow, SwapQuoteRow } from '@lending/store';
import { BANKS, LEDGER, measureRow, priceColumn, SOL_MINT } from './account-rows.ts';
import { bankRow, CHAIN_TIME_MS, KAMINO_BANK, kaminoRow, SOL_BANK, USDC_BANK, USDC_MINT } from './bank-row.ts';

export const JITOSOL_BANK = 'Bohoc1ikHLD7xKJuzTyiTyCwzaL5N7ggJQu75A8mKYM8';
export const JITOSOL_MINT = 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn';

const NO_CAPS = { deposit_limit_base: null, borrow_limit_base: null } as const;
const SOL_BOOKS = {
  total_assets_base: '1000000000000000',
  total_liabilities_base: '600000000000000',
  available_liquidity_base: '400000000000000',
} as const;
/** A million tokens of six decimals, four tenths of them there to borrow. */
const DOLLAR_BOOKS = {
  total_assets_base: '1000000000000',
  total_liabilities_base: '600000000000',
  available_liquidity_base: '400000000000',
} as const;

/**
 * Dollars at P0 and at Kamino, SOL at 150 and JitoSOL at 180, a million of each. Weights 0.9 and 0.95 as collateral, 1.1 and 1.05 as debt.
 * JitoSOL is worth 1.2 SOL and earns 7 % by itself.
 */
export function strategyBanks(changes: Readonly<Record<string, Partial<BankRow>>> = {}): readonly BankRow[] {
  const [usdc = bankRow(), sol = bankRow()] = BANKS;
  return [
    { ...usdc, ...NO_CAPS, ...DOLLAR_BOOKS },
    { ...sol, ...NO_CAPS, ...SOL_BOOKS },
    {
      ...sol,
      ...NO_CAPS,
      ...SOL_BOOKS,
      address: JITOSOL_BANK,
      mint: JITOSOL_MINT,
      symbol: 'JitoSOL',
      price_usd: '180',
      price_low_usd: '180',
      price_high_usd: '180',
      deposit_apr: '0.001',
      borrow_apr: '0.01',
      native_apr: '0.07',
      native_exchange_rate: '1.2',
    },
    kaminoRow({ price_low_usd: '1', price_high_usd: '1' }),
  ].map((row) => ({ ...row, ...changes[row.address] }));
}

export function strategyMeasures(
  changes: Readonly<Record<string, Partial<BankMeasureRow>>> = {},
): readonly BankMeasureRow[] {
  const solLedger = { ...LEDGER, totalAssetShares: '1000000000000000', totalLiabilityShares: '600000000000000' };
  return [
    measureRow(),
    measureRow({ bank: SOL_BANK, price: priceColumn('150'), ledger: solLedger }),
    measureRow({ bank: JITOSOL_BANK, price: priceColumn('180'), ledger: solLedger }),
    // A receipt of its reserve is worth a dollar and a quarter.
    measureRow({ bank: KAMINO_BANK, price: priceColumn('1.25') }),
  ].map((row) => ({ ...row, ...changes[row.bank] }));
}

/** Borrowed dollars for SOL: ten basis points for a thousand, forty for a hundred thousand. */
export function swapQuoteRow(changes: Partial<SwapQuoteRow> = {}): SwapQuoteRow {
  return {
    in_mint: USDC_MINT,
    out_mint: SOL_MINT,
    in_decimals: 6,
    out_decimals: 9,
    in_price_usd: '1',
    out_price_usd: '150',
    rungs: [
      { inBase: '1000000000', outBase: '6660000000', aggregator: 'jupiter' },
      { inBase: '100000000000', outBase: '664000000000', aggregator: 'jupiter' },
    ],
    ladder_end: 'passed_largest',
    source: 'chain',
    slot: 400_001_000n,
    slot_time: new Date(CHAIN_TIME_MS),
    ...changes,
  };
}

export { KAMINO_BANK, SOL_BANK, USDC_BANK };
