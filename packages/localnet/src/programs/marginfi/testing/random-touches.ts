import type { ProgramVersion } from '@lending/programs';
import { createDice } from '#actors/dice.ts';
import { RandomMarket } from '../../native/random-market.ts';
import type { Touch } from './touch-audit.ts';

/** Transactions on one market, one after the other; then it begins again. */
const PER_MARKET = 100;
const WRITABLE = 1;

/** What random transactions touch that succeed, as the model leaves it. */
export async function* randomTouches(version: ProgramVersion, seed: string, count: number): AsyncGenerator<Touch> {
  const opened = await RandomMarket.open(version, createDice(seed));
  for (let first = 0; first < count; first += PER_MARKET) {
    const market = opened.fork();
    for (let number = first; number < Math.min(first + PER_MARKET, count); number += 1) {
      const dice = createDice(`${seed}/${number}`);
      while (dice.roll(6) === 0) market.stir(dice);
      const { payer, instructions } = market.next(dice);
      const { chain } = market;
      const before = new Map(chain.accounts);
      if (chain.send(payer, ...instructions).error !== null) continue;
      const written = instructions.flatMap(({ accounts }) =>
        accounts.filter(({ role }) => role & WRITABLE).map(({ address }) => address),
      );
      yield {
        name: `${number}`,
        before,
        after: new Map(chain.accounts),
        written,
        context: chain.context,
        version,
      };
    }
  }
}
