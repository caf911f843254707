import { NO_KEY } from '@lending/programs';
import { type JudgedStatus, judgeStatus } from '../judge-status.ts';
import type { JuplendReserve } from './decode-reserve.ts';

const [ACTIVE, PAUSED, NOT_SET] = [0, 1, 2];

/**
 * What may be done with a pool: the whole layer can be locked, and the pool's position in it paused or not set up. Without a rate the layer
 * refuses every movement, and without a rewards account the pool does.
 */
export function statusOf({ liquidity, lending, position, rateModel }: JuplendReserve): JudgedStatus {
  const status = position?.status ?? null;
  return judgeStatus([
    ['liquidity_locked', 'suspended', liquidity.status],
    ['position_missing', 'closed', status === null],
    ['position_paused', 'suspended', status === PAUSED],
    ['position_not_set', 'closed', status === NOT_SET],
    ['position_status_unknown', 'unknown', status !== null && ![ACTIVE, PAUSED, NOT_SET].includes(status)],
    ['rate_model_unknown', 'unknown', rateModel.version !== 1 && rateModel.version !== 2],
    ['rewards_model_not_set', 'closed', lending.rewardsRateModel === NO_KEY],
  ]);
}
