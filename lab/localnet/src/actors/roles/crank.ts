import type { DemoBank } from '#market/demo-bank.ts';
import { pulsePrice } from '#market/lending-instructions.ts';
import { RESERVE_INSTRUCTIONS } from '#market/venue-instructions/of-bank.ts';
import type { DemoReserve } from '#market/venues/demo-reserve.ts';
import { createRole, type Role } from '../role.ts';

/**
 * Brings one of the venues' reserves up to the slot, or has a bank's circuit breaker look at the price of its feed: both are open to any
 * signer.
 */
export function createCrank(
  name: string,
  reserves: readonly DemoReserve[],
  watched: readonly DemoBank[],
  mainstay: DemoBank,
): Role {
  return createRole(name, mainstay, {}, (view, dice) => {
    const index = dice.roll(reserves.length + watched.length);
    const [reserve, row] = [reserves[index], watched[index - reserves.length]];
    if (row !== undefined) return [pulsePrice(view.bank(row.address))];
    return reserve === undefined ? null : [RESERVE_INSTRUCTIONS[reserve.venue].refresh(reserve.address, view.read)];
  });
}
