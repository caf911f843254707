import { createHash } from 'node:crypto';
import { bankLayout, readAddress } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import type { DemoBank } from './demo-bank.ts';
import { DEMO_FEEDS } from './feeds.ts';
import { type MadeBalance, madeAccount } from './made-account.ts';
import { DEMO_TOKENS } from './tokens.ts';

const MAX_BALANCES = 8;
/** Of what collateral counts for at first, a debt takes at most so much: far enough from the line that prices may walk. */
const MAX_DEBT = 0.4;

/** A bank as the crowd sees it. */
interface Pot {
  readonly row: DemoBank;
  /** Shares that each may hold, so that all together hold no more than there are. */
  readonly assets: number;
  readonly liabilities: number;
  /** USD that one share counts for as collateral at first, and as debt; rough, since it only keeps debts small. */
  readonly assetUsd: number;
  readonly debtUsd: number;
}

export interface CrowdOptions {
  readonly count: number;
  readonly seed: number;
  readonly unixTimestamp: bigint;
  /** The demo banks, and their accounts in the genesis. */
  readonly rows: readonly DemoBank[];
  readonly accountOf: (bank: Address) => AccountState | undefined;
}

/**
 * Any number of lending accounts with one to eight balances each, for load. Together they hold no more than was lent to the banks, and
 * borrowed from them. Every other one owes something, little beside its collateral. Three of ten accounts belong to one wallet. Same
 * seed, same crowd.
 */
export function createCrowd(options: CrowdOptions): readonly (readonly [Address, AccountState])[] {
  const { count, seed, unixTimestamp } = options;
  const pots = options.rows.flatMap((row) => potOf(row, options));
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const authority = keyOf(seed, 'authority', index % 10 < 3 ? index - (index % 10) : index);
    const balances = chooseBalances(pots, random);
    return [readAddress(keyOf(seed, 'account', index)), madeAccount({ authority, unixTimestamp, balances })] as const;
  });
}

/** Banks that take deposits from anybody, whatever else he holds. */
function potOf(row: DemoBank, { accountOf, count }: CrowdOptions): readonly Pot[] {
  const state = accountOf(row.address);
  if (state === undefined || row.state !== 'Operational' || row.riskTier !== 'Collateral') return [];
  const bank = bankLayout.decode(state.data);
  if (row.singlePool !== undefined || bank.totalAssetShares === 0n) return [];
  const { baseRaw, exponent } = DEMO_FEEDS[row.feed];
  const tokenUsd = Number(baseRaw) * 10 ** (exponent - DEMO_TOKENS[row.token].decimals) * 2 ** -96;
  return [
    {
      row,
      assets: Number(bank.totalAssetShares) / count,
      liabilities: row.venueAccount === undefined ? Number(bank.totalLiabilityShares) / count : 0,
      assetUsd: tokenUsd * Number(bank.assetShareValue) * Number(row.weights.assetInit),
      debtUsd: tokenUsd * Number(bank.liabilityShareValue) * Number(row.weights.liabilityInit),
    },
  ];
}

/** Some banks to lend to and, for every other account that has several balances, the last one to owe to. */
function chooseBalances(pots: readonly Pot[], random: () => number): readonly MadeBalance[] {
  const chosen = new Set<Pot>();
  const wanted = 1 + Math.floor(random() * MAX_BALANCES);
  while (chosen.size < wanted) chosen.add(pots[Math.floor(random() * pots.length)] as Pot);
  const all = [...chosen];
  const debt = wanted > 1 && random() < 0.5 ? all.find(({ liabilities }) => liabilities > 0) : undefined;
  let collateralUsd = 0;
  const balances = all.flatMap((pot): MadeBalance[] => {
    if (pot === debt) return [];
    // Some are a thousand times richer than others.
    const shares = pot.assets * 10 ** (-3 * random());
    collateralUsd += shares * pot.assetUsd;
    return [{ bank: pot.row, side: 'assets', shares: BigInt(Math.ceil(shares)) }];
  });
  if (debt === undefined) return balances;
  const shares = Math.min((collateralUsd * MAX_DEBT * random()) / debt.debtUsd, debt.liabilities);
  return [...balances, { bank: debt.row, side: 'liabilities', shares: BigInt(Math.ceil(shares)) }];
}

function keyOf(seed: number, kind: 'account' | 'authority', index: number): Uint8Array {
  return createHash('sha256').update(`crowd ${seed}/${kind}/${index}`).digest();
}

/** Mulberry32: a hash per roll, as the actors' dice have, takes too long for a million rolls. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
