import type { AccountUpdate } from '@lending/chain';
import { loadOracle, oracleAccountsOf } from '@lending/venues';
import type { Address } from '@solana/kit';
import { crankedFeed } from '#checks/prices-to-come.ts';
import type { LiveBank } from '#live/action-state.ts';
import type { LeverageState, PairedBank } from '#live/leverage-state.ts';
import { momentOf } from '#live/read-banks.ts';
import type { Crank } from './cranker.ts';

/**
 * What was read, with the prices in it that cranks will write before the action runs: a swap is measured by those, and health is judged
 * by them. Without cranks it is the state itself.
 */
export function onceCranked(state: LeverageState, cranks: readonly Pick<Crank, 'feeds' | 'values'>[]): LeverageState {
  if (cranks.length === 0) return state;
  const { accounts } = state;
  const cranked = new Map<Address, AccountUpdate>();
  for (const { feeds, values } of cranks) {
    for (const [index, feed] of feeds.entries()) {
      const value = values[index];
      if (value === undefined) throw new TypeError(`A crank has a value for each of its feeds, and none for ${feed}`);
      const crankedPrices = new Map([[feed, value]]);
      const before = accounts.get(feed) ?? null;
      const data = crankedFeed(before, accounts.unixTimestamp, { crankedPrices })?.data;
      if (before !== null && data !== undefined) cranked.set(feed, { ...before, data });
    }
  }
  const after = { ...accounts, get: (address: Address) => cranked.get(address) ?? accounts.get(address) };
  const repriced = (live: LiveBank): LiveBank => {
    const oracle = oracleAccountsOf(live.bank).map((address) => after.get(address) ?? null);
    return { ...live, oracle: loadOracle(live.bank, oracle, momentOf(after)) };
  };
  const pair = ({ live, tokens }: PairedBank): PairedBank => ({ live: repriced(live), tokens });
  const held = new Map([...state.held].map(([address, live]) => [address, repriced(live)]));
  return { ...state, accounts: after, collateral: pair(state.collateral), debt: pair(state.debt), held };
}
