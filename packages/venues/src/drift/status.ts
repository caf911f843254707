import type { DriftSpotMarket, DriftState } from '@lending/programs';
import { judgeStatus, type Permissions } from '../judge-status.ts';
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
): Permissions {
  const { status: number, expiryTs } = market;
  const claims = depositsOf(market) - borrowsOf(market);
  const isUnknown = number >= MARKET_STATUSES.length;
  const inactive = MARKET_STATUSES[number] ?? null;
  const hasExpired = expiryTs !== 0n && unixTimestamp >= expiryTs;
  const judged = judgeStatus([
    ['interest_frozen', 'suspended', unixTimestamp - market.lastInterestTs > FROZEN_AFTER],
    ['exchange_missing', 'suspended', exchange === null],
    ['exchange_paused', 'suspended', exchange !== null && exchange.exchangeStatus !== 0],
    ['vault_unreadable', 'suspended', vaultBase === null],
    ['vault_short', 'suspended', vaultBase !== null && vaultBase * 100n < claims * BACKED_PERCENT],
    ['market_status_unknown', 'unknown', isUnknown],
    [inactive ?? '', 'closed', inactive !== null],
    ['market_expired', 'closed', hasExpired],
    ['interest_paused', 'restricted', isPaused(market, PAUSED.interest)],
    ['deposits_paused', 'restricted', isPaused(market, PAUSED.deposits)],
    ['withdrawals_paused', 'restricted', isPaused(market, PAUSED.withdrawals)],
    ['borrowing_disabled', 'restricted', market.assetTier === PROTECTED_TIER],
  ]);
  const isOpen = judged.status !== 'suspended' && !isUnknown;
  const isActive = isOpen && inactive === null && !hasExpired;
  const mayWithdraw = isOpen && WITHDRAWABLE.has(number) && !isPaused(market, PAUSED.withdrawals);
  return {
    ...judged,
    // The program looks at the market's own pause in swaps only, its interface at deposits, too.
    mayDeposit: isActive && !isPaused(market, PAUSED.deposits),
    mayWithdraw,
    mayBorrow: isActive && mayWithdraw && market.assetTier !== PROTECTED_TIER,
  };
}

function isPaused({ pausedOperations }: DriftSpotMarket, operation: number): boolean {
  return (pausedOperations & operation) !== 0;
}
