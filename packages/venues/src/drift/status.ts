import type { DriftSpotMarket, DriftState } from '@lending/programs';
import type { ReserveStatus } from '../reserve.ts';
import { borrowsOf, depositsOf } from './exchange-rate.ts';

/** Seconds without interest after which a market does no business. */
const FROZEN_AFTER = 86_400n;
/** The share of what depositors could take out that must lie in the vault, in percent. */
const BACKED_PERCENT = 99n;

const ACTIVE = 1;
const REDUCE_ONLY = 6;
const SETTLEMENT = 7;
/** By number. In every one of them but the active one the program takes no deposit. */
const MARKET_STATUSES = [
  'market_initialized',
  null,
  'market_funding_paused',
  'market_amm_paused',
  'market_fill_paused',
  'market_withdraw_paused',
  'market_reduce_only',
  'market_settlement',
  'market_delisted',
] as const;
const WITHDRAWABLE = new Set([ACTIVE, REDUCE_ONLY, SETTLEMENT]);
const PAUSED = { interest: 1, deposits: 4, withdrawals: 8 } as const;
/** Collateral that nobody may borrow. */
const PROTECTED_TIER = 1;

/** What a market allows, and why not more. */
export interface MarketStatus {
  readonly status: ReserveStatus;
  readonly reasons: readonly string[];
  readonly canDeposit: boolean;
  readonly canWithdraw: boolean;
  readonly canBorrow: boolean;
}

/**
 * Judges a market as its accounts stand, before any interest is added.
 *
 * `suspended` is what became of Drift in April 2026: instructions are gone, indices stand still and vaults are short, while the curve
 * goes on naming a rate. Any one of its signs is enough.
 * @param exchange null where the state account does not exist.
 * @param vaultBase null where the vault is not a token account of the market's mint.
 */
export function statusOf(
  market: DriftSpotMarket,
  exchange: DriftState | null,
  vaultBase: bigint | null,
  unixTimestamp: bigint,
): MarketStatus {
  const suspended = suspendedBy(market, exchange, vaultBase, unixTimestamp);
  const { status: number } = market;
  const isUnknown = number >= MARKET_STATUSES.length;
  const unknown = isUnknown ? ['market_status_unknown'] : [];
  const closed = closedBy(market, unixTimestamp);
  const restricted = restrictedBy(market);
  const reasons = [...suspended, ...unknown, ...closed, ...restricted];
  const isOpen = suspended.length === 0 && !isUnknown;
  const isActive = isOpen && closed.length === 0;
  const canWithdraw = isOpen && WITHDRAWABLE.has(number) && !isPaused(market, PAUSED.withdrawals);
  return {
    status: statusWord(suspended, unknown, closed, restricted),
    reasons,
    // The program looks at the market's own pause in swaps only, its interface at deposits, too.
    canDeposit: isActive && !isPaused(market, PAUSED.deposits),
    canWithdraw,
    canBorrow: isActive && canWithdraw && market.assetTier !== PROTECTED_TIER,
  };
}

function statusWord(
  suspended: readonly string[],
  unknown: readonly string[],
  closed: readonly string[],
  restricted: readonly string[],
): ReserveStatus {
  if (suspended.length > 0) return 'suspended';
  if (unknown.length > 0) return 'unknown';
  if (closed.length > 0) return 'closed';
  return restricted.length > 0 ? 'restricted' : 'active';
}

function suspendedBy(
  market: DriftSpotMarket,
  exchange: DriftState | null,
  vaultBase: bigint | null,
  unixTimestamp: bigint,
): string[] {
  const claims = depositsOf(market) - borrowsOf(market);
  return [
    ...(unixTimestamp - market.lastInterestTs > FROZEN_AFTER ? ['interest_frozen'] : []),
    ...(exchange === null ? ['exchange_missing'] : []),
    ...(exchange !== null && exchange.exchangeStatus !== 0 ? ['exchange_paused'] : []),
    ...(vaultBase === null ? ['vault_unreadable'] : []),
    ...(vaultBase !== null && vaultBase * 100n < claims * BACKED_PERCENT ? ['vault_short'] : []),
  ];
}

function closedBy({ status, expiryTs }: DriftSpotMarket, unixTimestamp: bigint): string[] {
  const word = MARKET_STATUSES[status] ?? null;
  const hasExpired = expiryTs !== 0n && unixTimestamp >= expiryTs;
  return [...(word === null ? [] : [word]), ...(hasExpired ? ['market_expired'] : [])];
}

function restrictedBy(market: DriftSpotMarket): string[] {
  return [
    ...(isPaused(market, PAUSED.interest) ? ['interest_paused'] : []),
    ...(isPaused(market, PAUSED.deposits) ? ['deposits_paused'] : []),
    ...(isPaused(market, PAUSED.withdrawals) ? ['withdrawals_paused'] : []),
    ...(market.assetTier === PROTECTED_TIER ? ['borrowing_disabled'] : []),
  ];
}

function isPaused({ pausedOperations }: DriftSpotMarket, operation: number): boolean {
  return (pausedOperations & operation) !== 0;
}
