import { type I80F48, integerToI80F48, type Limit, type SizeLimit, strategySize } from '@lending/domain';
import type { StrategyBank } from './strategy-bank.ts';
import type { SwapCost } from './swap-cost.ts';

/** Own capital that fits into a pair, and what stops more. */
export interface PairSize {
  /** USD, rounded down. */
  readonly sizeUsd: I80F48;
  readonly bindingConstraint: Limit;
}

/** More than anybody has, USD: what is said where nothing of the pair sets a limit, and one's own balance is what stops. */
const MOST_USD = integerToI80F48(1_000_000_000_000n);
const UNBOUND: PairSize = { sizeUsd: MOST_USD, bindingConstraint: 'balance' };
const BLOCKED: PairSize = { sizeUsd: 0n, bindingConstraint: 'state' };

/** Where a bank cannot be used just now, nothing fits; liquidity that is not known counts as none, since nothing can be promised of it. */
export function sizeOf(
  { supply, borrow, swap }: { supply: StrategyBank; borrow: StrategyBank; swap: SwapCost | null },
  leverageHundredths: bigint,
): PairSize {
  if (supply.blockedBy !== null || borrow.blockedBy !== null) return BLOCKED;
  const rooms: Record<SizeLimit, I80F48 | null> = {
    deposit_cap: supply.depositRoomUsd,
    borrow_cap: borrow.borrowRoomUsd,
    liquidity: borrow.liquidityUsd ?? 0n,
    // Flash loans, which loops are, pass the limiters.
    rate_limit: null,
    swap_depth: swap === null ? null : swap.depthUsd,
  };
  const tightest = strategySize(rooms, leverageHundredths);
  if (tightest === null || tightest.size > MOST_USD) return UNBOUND;
  return { sizeUsd: tightest.size, bindingConstraint: tightest.limitedBy };
}
