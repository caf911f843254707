import type { DemoBank } from '#market/demo-bank.ts';
import { RESERVE_INSTRUCTIONS } from '#market/venue-instructions/of-bank.ts';
import type { DemoReserve } from '#market/venues/demo-reserve.ts';
import { createActor } from '../actor.ts';
import type { Role } from '../role.ts';

/** Brings one of the venues' reserves up to the slot, as anybody may and somebody always does. */
export function createCrank(name: string, reserves: readonly DemoReserve[], mainstay: DemoBank): Role {
  return {
    actor: createActor(name),
    mainstay,
    tokens: {},
    act: (view, dice) => {
      const reserve = reserves[dice.roll(reserves.length)];
      return reserve === undefined ? null : [RESERVE_INSTRUCTIONS[reserve.venue].refresh(reserve.address, view.read)];
    },
  };
}
