import type { AccountState } from '@lending/localnet';
import type { Address } from '@solana/kit';
import { withSevenPointCurve } from './bridges/seven-point-curve.ts';
import { madeMarket } from './made-market.ts';
import { MARKET } from './market.ts';
import { worldAccounts } from './world.ts';

/** What a chain starts from without the program's admin instructions. */
export function startAccounts(): ReadonlyMap<Address, AccountState> {
  return withCurves(new Map([...worldAccounts(), ...madeMarket()]));
}

/** Gives the banks the curve that today's program reads, beside the one the old program reads. */
export function withCurves(accounts: ReadonlyMap<Address, AccountState>): ReadonlyMap<Address, AccountState> {
  const after = new Map(accounts);
  for (const { address } of MARKET.values()) {
    const state = after.get(address);
    if (state !== undefined) after.set(address, { ...state, data: withSevenPointCurve(address, state.data) });
  }
  return after;
}
