import type { SwapFinder, SwapRequest } from '@lending/transactions';
import type { Address } from '@solana/kit';
import { type BankName, MARKET } from '../market.ts';
import { mintOf } from './builder-market.ts';
import type { BuilderName, BuilderWorld } from './builder-world.ts';
import { swapInPool } from './swap-pool.ts';

const ONE_BPS = 10_000n;

/** An aggregator that knows one pool and quotes what the oracles say. @param short base units that the pool gives less than it promised. */
export function poolSwapFinder(world: BuilderWorld, name: BuilderName, short: () => bigint): SwapFinder {
  return {
    async find(request) {
      const promised = tradeFor(request);
      const given = short() === 0n ? promised.outBase : promised.minOutBase - short();
      const between = [bankOf(request.inMint), bankOf(request.outMint)] as const;
      const made = await swapInPool(world, name, between, { ...promised, outBase: given });
      const route = { ...made, quote: { ...made.quote, outBase: promised.outBase } };
      const fit = await request.fit(route);
      if (fit.kind === 'too_large') throw fit.error;
      const { inBase, outBase } = promised;
      const tried = [{ aggregator: 'jupiter', outcome: 'chosen', reason: null, inBase, outBase }] as const;
      return { route, tried, lossBps: 0 };
    },
  };
}

/** As much of the input as gives what is needed, whatever the slippage takes. */
function tradeFor({ inBase: guess, neededOut, slippageBps, fairOut }: SwapRequest) {
  const least = (inBase: bigint) => (fairOut(inBase) * (ONE_BPS - BigInt(slippageBps))) / ONE_BPS;
  const guessed = least(guess);
  const inBase = guessed >= neededOut ? guess : (guess * neededOut) / guessed + 1n;
  return { inBase, outBase: fairOut(inBase), minOutBase: least(inBase), slippageBps };
}

function bankOf(mint: Address): BankName {
  for (const name of MARKET.keys()) if (mintOf(name) === mint) return name;
  throw new TypeError(`No bank is of the mint ${mint}`);
}
