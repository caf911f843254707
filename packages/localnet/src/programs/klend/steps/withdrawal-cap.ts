import { type KaminoWithdrawalCap, kaminoCapRoom } from '@lending/venues';
import type { InvokeContext } from '#engine/program.ts';
import { check, fail, panic } from '../klend-error.ts';

const I64_MAX = (1n << 63n) - 1n;
const I64_MIN = -(1n << 63n);

/**
 * Counts what flows out against a window's capacity; a negative amount flows in and is always let through. A window that is over begins
 * anew first. Without a window the flow is counted all the same, as far as the counter goes.
 * @throws AnchorError WithdrawalCapReached, LastTimestampGreaterThanCurrent, MathOverflow
 * @see klend programs/klend/src/lending_market/withdrawal_cap_operations.rs
 */
export function countFlow(context: InvokeContext, cap: KaminoWithdrawalCap, outflow: bigint): KaminoWithdrawalCap {
  const size = outflow < 0n ? -outflow : outflow;
  if (cap.configIntervalLengthSeconds === 0n) {
    check(size <= I64_MAX, 'MathOverflow');
    const total = cap.currentTotal + outflow;
    return { ...cap, currentTotal: total > I64_MAX ? I64_MAX : total < I64_MIN ? I64_MIN : total };
  }
  const current = beginAnew(cap, context.slot.unixTimestamp);
  if (outflow > kaminoCapRoom(current, context.slot.unixTimestamp)) fail('WithdrawalCapReached');
  const total = current.currentTotal + outflow;
  if (size > I64_MAX || total > I64_MAX || total < I64_MIN) panic(context, 'the counter overflows');
  return { ...current, currentTotal: total };
}

function beginAnew(cap: KaminoWithdrawalCap, now: bigint): KaminoWithdrawalCap {
  check(cap.lastIntervalStartTimestamp <= now, 'LastTimestampGreaterThanCurrent');
  const isOver = cap.configIntervalLengthSeconds <= now - cap.lastIntervalStartTimestamp;
  return isOver ? { ...cap, currentTotal: 0n, lastIntervalStartTimestamp: now } : cap;
}
