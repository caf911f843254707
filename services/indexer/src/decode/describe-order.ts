import { formatI80F48 } from '@lending/domain';
import type { OrderUpdated } from '@lending/events';
import type { P0Order } from '@lending/venues';

/** A standing order in the words of `order.updated`. */
export function describeOrder({
  trigger,
  stopLoss,
  takeProfit,
  maxSlippage,
  tags,
}: P0Order): NonNullable<OrderUpdated['state']> {
  return {
    trigger,
    stopLoss: stopLoss === null ? null : formatI80F48(stopLoss),
    takeProfit: takeProfit === null ? null : formatI80F48(takeProfit),
    maxSlippage: formatI80F48(maxSlippage),
    tags: [...tags],
  };
}
