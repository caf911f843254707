import { formatI80F48 } from '@lending/domain';
import type { RebalanceUpdated } from '@lending/events';
import type { P0RebalanceOrder } from '@lending/venues';

/** A standing order to rebalance in the words of `rebalance.updated`, with what its account's pool for tips holds. */
export function describeRebalanceOrder(
  order: P0RebalanceOrder,
  feePoolLamports: bigint,
): NonNullable<RebalanceUpdated['state']> {
  return {
    mint: order.mint,
    banks: [...order.banks],
    minImprovement: formatI80F48(order.minImprovement),
    cooldownSeconds: order.cooldownSeconds.toString(),
    amountBase: order.amountBase?.toString() ?? null,
    keeperTipLamports: order.keeperTipLamports.toString(),
    lastExecutedAt: order.lastExecutedAt?.toString() ?? null,
    feePoolLamports: feePoolLamports.toString(),
  };
}
