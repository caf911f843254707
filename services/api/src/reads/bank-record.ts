import { formatVenue } from '@lending/domain';
import type { BankRow } from '@lending/store';
import { ASSET_TAGS, type AssetTag, type Bank } from '#records/bank-fields.ts';
import { isBorrowable, listAllowedActions } from './bank-actions.ts';
import { describeBreaker } from './bank-breaker.ts';
import { describeBankPremium, describeEmode, describeRateCurve } from './bank-config.ts';
import { gatesOf } from './bank-gates.ts';
import { describeOracle } from './bank-oracle.ts';
import { describeBankReserve } from './bank-reserve.ts';
import { describeRates } from './pool-rates.ts';
import type { BankRooms } from './rooms.ts';
import { shownConfigured, shownNumber, shownTokens, shownUsd } from './shown-numbers.ts';
import type { TrailingRates } from './trailing-rates.ts';

/**
 * A bank as callers see it. What is not known is null: rates and sizes of a bank that was never sampled, a price whose feed cannot be
 * read. On another venue P0's own account holds a curve and weights of a debt too, but they are the program's placeholders: nobody
 * borrows there from P0.
 * Units: `chainTimeMs` in ms since 1970, against which the price is aged; the record's are in its field names.
 * @throws ZodError or SyntaxError when the row holds what the projection never writes.
 */
export function toBankRecord(row: BankRow, chainTimeMs: number, trailing: TrailingRates | undefined): Bank {
  const isOwnPool = row.venue === 'p0';
  const isSuspended = row.reserve_status === 'suspended';
  const priceUsd = shownNumber(row.price_usd);
  const oracle = describeOracle(row, chainTimeMs);
  const gates = gatesOf(row, chainTimeMs);
  const { rooms } = gates;
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
    rates: describeRates(row, trailing, { hasBorrowers: isOwnPool, isSuspended }),
    size: describeSize(row, rooms, priceUsd),
    weights: {
      asset_weight_init: shownConfigured(row.asset_weight_init),
      asset_weight_maint: shownConfigured(row.asset_weight_maint),
      liability_weight_init: isOwnPool ? shownConfigured(row.liability_weight_init) : null,
      liability_weight_maint: isOwnPool ? shownConfigured(row.liability_weight_maint) : null,
    },
    emode: describeEmode(row.emode),
    oracle,
    circuit_breaker: describeBreaker(row, gates.breaker),
    rate_curve: isOwnPool ? describeRateCurve(row.rate_curve) : null,
    premium: isOwnPool ? describeBankPremium(row) : null,
    reserve: describeBankReserve(row),
  };
}

function describeSize(row: BankRow, rooms: BankRooms, priceUsd: number | null): Bank['size'] {
  const tokens = (base: string | bigint | null) => shownTokens(base, row.decimals);
  const usd = (base: string | bigint | null) => shownUsd(tokens(base), priceUsd);
  return {
    deposits_usd: usd(row.total_assets_base),
    borrows_usd: usd(row.total_liabilities_base),
    available_liquidity_usd: usd(rooms.availableBase),
    deposits: tokens(row.total_assets_base),
    borrows: tokens(row.total_liabilities_base),
    available_liquidity: tokens(rooms.availableBase),
    deposit_limit_usd: usd(rooms.depositLimitBase),
    borrow_limit_usd: usd(rooms.borrowLimitBase),
    deposit_capacity_remaining_usd: usd(rooms.depositRoomBase),
    borrow_capacity_remaining_usd: usd(rooms.borrowRoomBase),
  };
}

function assetTag(tag: number): AssetTag {
  const known = tag >= 0 && tag < ASSET_TAGS.length - 1 ? ASSET_TAGS[tag] : undefined;
  return known ?? 'Unknown';
}
