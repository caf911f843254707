import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import {
  findSwapAuthority,
  findSwapPool,
  findSwapVault,
  SWAP_PROGRAM,
  swapPoolLayout,
} from '#programs/swap/swap-pool.ts';
import { accountOf } from './account-state.ts';
import { DEMO_FEEDS, type DemoFeedName } from './feeds.ts';
import { SINGLE_POOL_RATE_PPM } from './single-pools.ts';
import { tokenAccount } from './token-accounts.ts';
import { DEMO_TOKENS, type DemoTokenName } from './tokens.ts';

/** How a token trades on the demo market. */
interface DemoPool {
  readonly feed: DemoFeedName;
  /** How many of what the feed prices one token stands for, millionths; default: it is priced itself. */
  readonly ratePpm?: bigint;
  readonly feeBps: number;
  /** Whole USD; a trade of a thousandth of it moves the price by a tenth of a percent. */
  readonly depthUsd: bigint;
  /** Base units the pool begins with. */
  readonly held: bigint;
}

const PPM = 1_000_000n;
const E18 = 10n ** 18n;
/** Pool tokens trade at what their bank takes them for, or nobody would believe a quote. */
const STAKED = { feed: 'PythSOL', ratePpm: SINGLE_POOL_RATE_PPM } as const;

/** Round figures of ours: fees and depths as aggregated routes show them, deep for dollars and SOL, shallow for the rest. */
export const DEMO_POOLS: Readonly<Record<DemoTokenName, DemoPool>> = {
  USDC: { feed: 'USDC', feeBps: 1, depthUsd: 400_000_000n, held: 500_000_000_000_000n },
  USDT: { feed: 'USDT', feeBps: 1, depthUsd: 300_000_000n, held: 300_000_000_000_000n },
  USDS: { feed: 'USDS', feeBps: 1, depthUsd: 60_000_000n, held: 20_000_000_000_000n },
  PYUSD: { feed: 'PYUSD', feeBps: 1, depthUsd: 80_000_000n, held: 80_000_000_000_000n },
  SOL: { feed: 'SOL', feeBps: 3, depthUsd: 250_000_000n, held: 2_000_000_000_000_000n },
  JitoSOL: { feed: 'JitoSOL', feeBps: 2, depthUsd: 120_000_000n, held: 800_000_000_000_000n },
  mSOL: { feed: 'mSOL', feeBps: 2, depthUsd: 60_000_000n, held: 300_000_000_000_000n },
  JupSOL: { feed: 'JupSOL', feeBps: 2, depthUsd: 60_000_000n, held: 300_000_000_000_000n },
  INF: { feed: 'INF', feeBps: 2, depthUsd: 40_000_000n, held: 100_000_000_000_000n },
  cbBTC: { feed: 'cbBTC', feeBps: 4, depthUsd: 80_000_000n, held: 100_000_000_000n },
  WETH: { feed: 'ETH', feeBps: 4, depthUsd: 40_000_000n, held: 1_000_000_000_000n },
  BONK: { feed: 'BONK', feeBps: 10, depthUsd: 15_000_000n, held: 100_000_000_000_000_000n },
  JUP: { feed: 'JUP', feeBps: 8, depthUsd: 15_000_000n, held: 100_000_000_000_000n },
  JLP: { feed: 'JLP', feeBps: 6, depthUsd: 25_000_000n, held: 5_000_000_000_000n },
  '2Z': { feed: '2Z', feeBps: 15, depthUsd: 6_000_000n, held: 10_000_000_000_000_000n },
  ORCA: { feed: 'ORCA', feeBps: 10, depthUsd: 6_000_000n, held: 5_000_000_000_000n },
  LEVY: { feed: 'USDC', feeBps: 5, depthUsd: 5_000_000n, held: 5_000_000_000_000n },
  FULL: { feed: 'USDC', feeBps: 5, depthUsd: 5_000_000n, held: 5_000_000_000_000n },
  LENT: { feed: 'USDC', feeBps: 5, depthUsd: 5_000_000n, held: 5_000_000_000_000n },
  DRY: { feed: 'USDC', feeBps: 5, depthUsd: 5_000_000n, held: 5_000_000_000_000n },
  MRGN2: { ...STAKED, feeBps: 20, depthUsd: 2_000_000n, held: 5_000_000_000_000n },
  MRGN4: { ...STAKED, feeBps: 20, depthUsd: 2_000_000n, held: 5_000_000_000_000n },
};

/** Nothing traded beside the oracle yet. */
const STANDING = { lastPriceE18: 0n, lastPriceTime: 0n };

/** A pool and its vault for every token of the demo market. */
export function swapPoolAccounts(): readonly (readonly [Address, AccountState])[] {
  const authority = findSwapAuthority().address;
  return (Object.keys(DEMO_POOLS) as DemoTokenName[]).flatMap((name) => {
    const { feed, ratePpm = PPM, feeBps, depthUsd, held } = DEMO_POOLS[name];
    const { mint } = DEMO_TOKENS[name];
    const vault = findSwapVault(mint).address;
    const oracle = DEMO_FEEDS[feed].account;
    const rateE18 = (ratePpm * E18) / PPM;
    const pool = swapPoolLayout.encode({ mint, vault, oracle, rateE18, ...STANDING, feeBps, depthUsd });
    return [
      [findSwapPool(mint).address, accountOf(SWAP_PROGRAM, pool)],
      [vault, tokenAccount(DEMO_TOKENS[name], authority, held)],
    ] as const;
  });
}
