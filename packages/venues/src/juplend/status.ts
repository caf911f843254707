import { NO_KEY } from '@lending/programs';
import type { ReserveStatus } from '../reserve.ts';
import type { JuplendReserve } from './decode-reserve.ts';

const POSITION_ACTIVE = 0;
const POSITION_PAUSED = 1;
const POSITION_NOT_SET = 2;

export interface JuplendStatus {
  readonly status: ReserveStatus;
  readonly reasons: readonly string[];
}

/** From worst to best. A pool that is locked goes on earning what its borrowers owe: only nothing can be moved. */
const WORST_FIRST = ['unknown', 'suspended', 'closed'] as const;

/** What may be done with a pool: the whole layer can be locked, and the pool's position in it paused or not set up. */
export function readJuplendStatus({ liquidity, lending, position, rateModel }: JuplendReserve): JuplendStatus {
  const found: (readonly [ReserveStatus, string])[] = [];
  if (liquidity.status) found.push(['suspended', 'liquidity_locked']);
  if (position === null) found.push(['closed', 'position_missing']);
  else if (position.status === POSITION_PAUSED) found.push(['suspended', 'position_paused']);
  else if (position.status === POSITION_NOT_SET) found.push(['closed', 'position_not_set']);
  else if (position.status !== POSITION_ACTIVE) found.push(['unknown', 'position_status_unknown']);
  // Without a rate the layer refuses every movement, and without a rewards account the pool does.
  if (rateModel.version !== 1 && rateModel.version !== 2) found.push(['unknown', 'rate_model_unknown']);
  if (lending.rewardsRateModel === NO_KEY) found.push(['closed', 'rewards_model_not_set']);
  const status = WORST_FIRST.find((each) => found.some(([kind]) => kind === each)) ?? 'active';
  return { status, reasons: found.map(([, reason]) => reason) };
}
