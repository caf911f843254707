import { formatVenue, isVenueDecoded, remainingCapacity, type Venue } from '@lending/domain';
import type { BankRow } from '@lending/store';
import {
  ASSET_TAGS,
  type AssetTag,
  type Bank,
  OPERATIONAL_STATES,
  type OperationalState,
  type RatesBasis,
} from '#records/bank-fields.ts';
import { isBorrowable, listAllowedActions } from './bank-actions.ts';
import { describeEmode, describeRateCurve } from './bank-config.ts';
import { describeOracle } from './bank-oracle.ts';
import { shownApyPct, shownNumber, shownPct, shownTokens, shownUsd, sumKnown } from './shown-numbers.ts';
import type { TrailingRates } from './trailing-rates.ts';

/** How each venue's own rate becomes an APY. */
const RATES_BASIS: Readonly<Record<Venue, RatesBasis>> = {
  p0: 'apr_compounded_hourly',
  kamino: 'apr_compounded_63072000_a_year',
  solend: 'apr_compounded_63072000_a_year',
  drift: 'apr_compounded_continuously',
  juplend: 'apy_equals_apr',
};

/**
 * A bank as callers see it. What is not known is null: rates and sizes of a bank that was never sampled, of a venue that is
 * not decoded, a price whose feed cannot be read. On such a venue P0's own account holds a curve and weights of a debt too, but they
 * are the program's placeholders: nobody borrows there from P0.
 * Units: `chainTimeMs` in ms since 1970, against which the price is aged; the record's are in its field names.
 * @throws ZodError or SyntaxError when the row holds what the projection never writes.
 */
export function toBankRecord(row: BankRow, chainTimeMs: number, trailing: TrailingRates | undefined): Bank {
  const isDecoded = isVenueDecoded(row.venue);
  const priceUsd = isDecoded ? shownNumber(row.price_usd) : null;
  const oracle = describeOracle(row, chainTimeMs);
  const gates = {
    venue: row.venue,
    state: operationalState(row.operational_state),
    flags: BigInt(row.flags),
    isCollateral: row.risk_tier === 'Collateral' && Number(row.asset_weight_init) > 0,
    depositLimitBase: bigintOrNull(row.deposit_limit_base),
    borrowLimitBase: bigintOrNull(row.borrow_limit_base),
    totalAssetsBase: bigintOrNull(row.total_assets_base),
    totalLiabilitiesBase: bigintOrNull(row.total_liabilities_base),
    availableLiquidityBase: bigintOrNull(row.available_liquidity_base),
    hasFreshPrice: priceUsd !== null && oracle.stale === false,
  };
  return {
    address: row.address,
    symbol: row.symbol,
    mint: row.mint,
    venue: formatVenue(row.venue),
    decimals: row.decimals,
    token_program: row.token_program,
    price_usd: priceUsd,
    price_low_usd: priceUsd === null ? null : shownNumber(row.price_low_usd),
    price_high_usd: priceUsd === null ? null : shownNumber(row.price_high_usd),
    operational_state: gates.state,
    risk_tier: row.risk_tier === 'Isolated' ? 'Isolated' : 'Collateral',
    asset_tag: assetTag(row.asset_tag),
    borrowable: isBorrowable(gates),
    actions_allowed: listAllowedActions(gates),
    rates: describeRates(row, trailing),
    size: describeSize(row, priceUsd),
    weights: {
      asset_weight_init: Number(row.asset_weight_init),
      asset_weight_maint: Number(row.asset_weight_maint),
      liability_weight_init: isDecoded ? Number(row.liability_weight_init) : null,
      liability_weight_maint: isDecoded ? Number(row.liability_weight_maint) : null,
    },
    emode: describeEmode(row.emode),
    oracle,
    rate_curve: isDecoded ? describeRateCurve(row.rate_curve) : null,
  };
}

function describeRates(row: BankRow, trailing: TrailingRates | undefined): Bank['rates'] {
  const isDecoded = isVenueDecoded(row.venue);
  const interestDeposit = isDecoded ? shownApyPct(row.deposit_apr) : null;
  const interestBorrow = isDecoded ? shownApyPct(row.borrow_apr) : null;
  // Nothing measures these yet. The totals are the sum of what is known, and RATE_PARTS_UNKNOWN says so in every reply.
  const native = null;
  const emissionsDeposit = null;
  const emissionsBorrow = null;
  return {
    total_deposit_apy_pct: interestDeposit === null ? null : sumKnown([interestDeposit, native, emissionsDeposit]),
    total_borrow_apy_pct: interestBorrow === null ? null : sumKnown([interestBorrow, emissionsBorrow]),
    interest_deposit_apy_pct: interestDeposit,
    interest_borrow_apy_pct: interestBorrow,
    native_apy_pct: native,
    emissions_deposit_apy_pct: emissionsDeposit,
    emissions_borrow_apy_pct: emissionsBorrow,
    deposit_apy_7d_pct: isDecoded ? shownApyPct(trailing?.depositApr7d ?? null) : null,
    deposit_apy_30d_pct: isDecoded ? shownApyPct(trailing?.depositApr30d ?? null) : null,
    borrow_apy_7d_pct: isDecoded ? shownApyPct(trailing?.borrowApr7d ?? null) : null,
    borrow_apy_30d_pct: isDecoded ? shownApyPct(trailing?.borrowApr30d ?? null) : null,
    realized_deposit_apy_30d_pct: isDecoded ? shownPct(trailing?.realizedDepositApy30d ?? null) : null,
    utilization_pct: isDecoded ? shownPct(row.utilization) : null,
    basis: RATES_BASIS[row.venue],
    slot_ms: null,
  };
}

function describeSize(row: BankRow, priceUsd: number | null): Bank['size'] {
  const isDecoded = isVenueDecoded(row.venue);
  const tokens = (base: string | null) => (isDecoded ? shownTokens(base, row.decimals) : null);
  const deposits = tokens(row.total_assets_base);
  const borrows = tokens(row.total_liabilities_base);
  const available = tokens(row.available_liquidity_base);
  const depositRoom = roomBase(row.deposit_limit_base, row.total_assets_base);
  const borrowRoom = roomBase(row.borrow_limit_base, row.total_liabilities_base);
  return {
    deposits_usd: shownUsd(deposits, priceUsd),
    borrows_usd: shownUsd(borrows, priceUsd),
    available_liquidity_usd: shownUsd(available, priceUsd),
    deposits,
    borrows,
    available_liquidity: available,
    deposit_limit_usd: shownUsd(tokens(row.deposit_limit_base), priceUsd),
    borrow_limit_usd: shownUsd(tokens(row.borrow_limit_base), priceUsd),
    deposit_capacity_remaining_usd: shownUsd(tokens(depositRoom), priceUsd),
    borrow_capacity_remaining_usd: shownUsd(tokens(borrowRoom), priceUsd),
  };
}

function roomBase(limitBase: string | null, totalBase: string | null): string | null {
  if (limitBase === null || totalBase === null) return null;
  return remainingCapacity(BigInt(limitBase), BigInt(totalBase))?.toString() ?? null;
}

function operationalState(text: string): OperationalState {
  return OPERATIONAL_STATES.find((state) => state === text) ?? 'Unknown';
}

function assetTag(tag: number): AssetTag {
  const known = tag >= 0 && tag < ASSET_TAGS.length - 1 ? ASSET_TAGS[tag] : undefined;
  return known ?? 'Unknown';
}

function bigintOrNull(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}
