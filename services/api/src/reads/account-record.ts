import { floorI80F48, type PositionHealth, toShownUsd } from '@lending/domain';
import type { AccountOrderRow, BalanceRow, RebalanceOrderRow } from '@lending/store';
import type { Account, Order, Position, RebalanceOrder } from '#records/position-fields.ts';
import { maxBorrowsOf, maxWithdrawOf } from './account-capacity.ts';
import type { AccountValue, KnownBalance } from './account-value.ts';
import { describeExecution } from './activity-record.ts';

import { describeHealth, describePoint, liquidationPointsOf, shownRatio, shownUsdOf } from './health-record.ts';
import type { MeasureSnapshot } from './measure-set.ts';
import { describePositionPremium } from './premium-record.ts';
import { shownConfigured, shownNumber, shownTime, shownTokens } from './shown-numbers.ts';
import { tokensHeld } from './token-amounts.ts';

const MAX_SLOTS = 16;

/** Standing orders of an account, of both kinds. */
export interface AccountOrders {
  readonly orders: readonly AccountOrderRow[];
  readonly rebalanceOrders: readonly RebalanceOrderRow[];
}

export const NO_ORDERS: AccountOrders = { orders: [], rebalanceOrders: [] };
const SOL_DECIMALS = 9;

/**
 * An account as callers see it. Amounts are tokens of the mint, on venue banks too; a balance of less than a share is left out, as the
 * program counts it neither way, though it takes a slot.
 */
export function describeAccount(
  value: AccountValue,
  snapshot: MeasureSnapshot,
  { orders, rebalanceOrders }: AccountOrders,
): Account {
  const { row, health, unknown } = value;
  const points = liquidationPointsOf(value);
  const worth = unknown.length > 0 ? null : health.worth;
  const positions = [
    ...value.known.flatMap((held, index) => {
      const figures = health.positions[index];
      if (figures === undefined || figures.side === null) return [];
      return [describePosition(value, held, figures, points[index] ?? null)];
    }),
    ...unknown.map((balance) => unknownPosition(balance, snapshot)),
  ];
  return {
    address: row.address,
    authority: row.authority,
    group: row.group_address,
    balance_slots_used: row.balances.length,
    balance_slots_max: MAX_SLOTS,
    health: describeHealth(value, points),
    equity_usd: shownUsdOf(worth?.equity ?? null),
    assets_usd: shownUsdOf(worth?.assets ?? null),
    liabilities_usd: shownUsdOf(worth?.liabilities ?? null),
    leverage: shownRatio(worth?.leverage ?? null),
    net_apy_pct: netApyPct(positions, worth === null ? null : toShownUsd(worth.equity)),
    positions,
    max_borrow: maxBorrowsOf(value, snapshot.borrowable)?.slice() ?? null,
    orders: orders.map((order) => describeOrder(order, row.balances)),
    rebalance_orders: rebalanceOrders.map(describeRebalanceOrder),
  };
}

function describePosition(
  value: AccountValue,
  held: KnownBalance,
  figures: PositionHealth,
  point: Parameters<typeof describePoint>[0] | null,
): Position {
  const { measured } = held;
  const { record } = measured;
  const isDebt = figures.side === 'liability';
  const amount = figures.amount === null ? null : tokensHeld(measured, floorI80F48(figures.amount));
  const withdraw = isDebt ? null : maxWithdrawOf(value, held);
  const shownPoint = point === null ? null : describePoint(point, measured);
  return {
    bank: record.address,
    symbol: record.symbol,
    mint: record.mint,
    venue: record.venue,
    side: isDebt ? 'borrow' : 'lend',
    amount_ui: amount?.ui ?? null,
    amount_raw: amount?.raw ?? null,
    amount_usd: shownUsdOf(figures.worth),
    ...describePositionPremium(value, held, amount),
    apy_pct: isDebt ? record.rates.total_borrow_apy_pct : record.rates.total_deposit_apy_pct,
    weight_maint: figures.weighted === null ? null : shownConfigured(toShownUsd(figures.weighted.weight)),
    weighted_usd: shownUsdOf(figures.weighted?.value ?? null),
    max_withdraw_ui: isDebt ? 0 : (withdraw?.amount.ui ?? null),
    max_withdraw_limited_by: isDebt ? 'balance' : (withdraw?.limitedBy ?? null),
    liquidation_price_usd: shownPoint?.priceUsd ?? null,
    price_change_to_liquidation_pct: shownPoint?.changePct ?? null,
  };
}

/** What can be said of a balance whose bank nobody measured: which bank, and which side. */
function unknownPosition(balance: BalanceRow, { banks }: MeasureSnapshot): Position {
  const record = banks.entries.get(balance.bank)?.record;
  const isDebt = Number(balance.liability_shares) >= 1;
  return {
    bank: balance.bank,
    symbol: record?.symbol ?? null,
    mint: record?.mint ?? null,
    venue: record?.venue ?? null,
    side: isDebt ? 'borrow' : 'lend',
    amount_ui: null,
    amount_raw: null,
    amount_usd: null,
    principal_ui: null,
    principal_raw: null,
    premium_outstanding_ui: null,
    premium_outstanding_raw: null,
    premium_accruing_ui: null,
    premium_apr_pct: null,
    premium_parts: [],
    apy_pct: null,
    weight_maint: null,
    weighted_usd: null,
    max_withdraw_ui: isDebt ? 0 : null,
    max_withdraw_limited_by: isDebt ? 'balance' : null,
    liquidation_price_usd: null,
    price_change_to_liquidation_pct: null,
  };
}

/** Interest earned less interest paid, over the equity; null where any of it is not known, or there is no equity. */
function netApyPct(positions: readonly Position[], equityUsd: number | null): number | null {
  if (equityUsd === null || equityUsd <= 0) return null;
  let yearlyPct = 0;
  for (const { amount_usd: usd, apy_pct: apy, side, ...premium } of positions) {
    if (usd === null || (apy === null && usd !== 0)) return null;
    const { principal_ui: principal, premium_apr_pct: premiumApr } = premium;
    const part = principal === null || !premium.amount_ui ? 1 : principal / premium.amount_ui;
    yearlyPct += (side === 'borrow' ? -1 : 1) * usd * part * ((apy ?? 0) + (premiumApr ?? 0));
  }
  return yearlyPct / equityUsd;
}

function describeOrder(order: AccountOrderRow, balances: readonly BalanceRow[]): Order {
  const tags = (order.tags ?? []).filter((tag) => tag !== 0);
  return {
    address: order.address,
    trigger: order.trigger,
    stop_loss: shownNumber(order.stop_loss),
    take_profit: shownNumber(order.take_profit),
    max_slippage_pct: order.max_slippage === null ? null : shownConfigured(order.max_slippage, 'pct', 'u32'),
    banks: tags.flatMap((tag) => balances.filter(({ order_tag }) => order_tag === tag).map(({ bank }) => bank)),
  };
}

function describeRebalanceOrder(order: RebalanceOrderRow): RebalanceOrder {
  return {
    address: order.address,
    mint: order.mint,
    banks: [...order.banks],
    min_improvement_pct: shownConfigured(order.min_improvement, 'pct'),
    cooldown_seconds: shownNumber(order.cooldown_seconds),
    max_amount_raw: order.amount_base,
    keeper_tip_sol: shownTokens(order.keeper_tip_lamports, SOL_DECIMALS),
    fee_pool_sol: shownTokens(order.fee_pool_lamports, SOL_DECIMALS),
    last_executed_at: shownTime(order.last_executed_at),
    executions: order.executions.flatMap(describeExecution),
  };
}
