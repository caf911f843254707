import { createHash } from 'node:crypto';
import { bankLayout, readAddress } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import type { DemoBank } from './demo-bank.ts';
import { DEMO_FEEDS } from './feeds.ts';
import { type MadeBalance, madeAccount } from './made-account.ts';
import { DEMO_TOKENS } from './tokens.ts';

const MAX_BALANCES = 8;
/** Of what collateral counts for at first, in percent, a debt takes at most so much: far enough from the line that prices may walk. */
const MAX_DEBT_PERCENT = 55;

/** A bank as the crowd shares it out. */
interface Pot {
  readonly row: DemoBank;
  /** Shares nobody holds yet. */
  readonly assets: bigint;
  readonly liabilities: bigint;
  /** USD that one share counts for as collateral at first, and as debt; rough, since it only keeps debts small. */
  readonly assetUsd: number;
  readonly debtUsd: number;
}

interface Stake {
  readonly pot: Pot;
  readonly side: MadeBalance['side'];
  /** Its part of the pot, out of the sum of all parts; of a debt its shares. */
  readonly part: number;
}

export interface CrowdOptions {
  readonly count: number;
  readonly seed: number;
  readonly unixTimestamp: bigint;
  /** The demo banks, and their accounts in the genesis. */
  readonly rows: readonly DemoBank[];
  readonly accountOf: (bank: Address) => AccountState | undefined;
  /** Shares of the banks' totals that others hold already. */
  readonly taken: readonly MadeBalance[];
}

/**
 * Any number of lending accounts with one to eight balances each, for load: together they hold all shares that were lent to the banks,
 * to the last one, and no more than what was borrowed from them. Debts are small beside the collateral. Three of ten accounts belong to
 * one wallet. Same seed, same crowd.
 */
export function createCrowd(options: CrowdOptions): readonly (readonly [Address, AccountState])[] {
  const { count, seed, unixTimestamp } = options;
  const pots = options.rows.flatMap((row) => potOf(row, options));
  const random = createRandom(seed);
  const people = Array.from({ length: count }, () => chooseStakes(pots, random));
  const shared = shareOut(people);
  return people.map((stakes, index) => {
    const authority = keyOf(seed, 'authority', index % 10 < 3 ? index - (index % 10) : index);
    const balances = stakes.flatMap(({ pot, side }, at): MadeBalance[] => {
      const shares = shared[index]?.[at] ?? 0n;
      return shares === 0n ? [] : [{ bank: pot.row, side, shares }];
    });
    return [readAddress(keyOf(seed, 'account', index)), madeAccount({ authority, unixTimestamp, balances })] as const;
  });
}

/** Banks that take deposits from anybody, whatever else he holds; those that do not, share nothing out. */
function potOf(row: DemoBank, { accountOf, taken }: CrowdOptions): readonly Pot[] {
  const state = accountOf(row.address);
  if (state === undefined || row.state !== 'Operational' || row.riskTier !== 'Collateral') return [];
  if (row.singlePool !== undefined) return [];
  const bank = bankLayout.decode(state.data);
  const takenFrom = (side: MadeBalance['side']) =>
    taken.reduce((sum, one) => (one.side === side && one.bank.address === row.address ? sum + one.shares : sum), 0n);
  const { baseRaw, exponent } = DEMO_FEEDS[row.feed];
  const tokenUsd = Number(baseRaw) * 10 ** (exponent - DEMO_TOKENS[row.token].decimals) * 2 ** -96;
  return [
    {
      row,
      assets: bank.totalAssetShares - takenFrom('assets'),
      liabilities: row.venueAccount === undefined ? bank.totalLiabilityShares - takenFrom('liabilities') : 0n,
      assetUsd: tokenUsd * Number(bank.assetShareValue) * Number(row.weights.assetInit),
      debtUsd: tokenUsd * Number(bank.liabilityShareValue) * Number(row.weights.liabilityInit),
    },
  ];
}

type Random = () => number;

/** Some banks to lend to, and for every other account one or two to owe to, last. */
function chooseStakes(pots: readonly Pot[], random: Random): readonly Stake[] {
  const wanted = 1 + Math.floor(random() * MAX_BALANCES);
  const debts = wanted > 1 && random() < 0.5 ? 1 + Math.floor(random() * Math.min(2, wanted - 1)) : 0;
  const chosen = new Set<Pot>();
  const stakes: Stake[] = [];
  while (stakes.length < wanted) {
    const side = stakes.length < wanted - debts ? 'assets' : 'liabilities';
    const open = pots.filter((pot) => !chosen.has(pot) && pot[side] > 0n);
    const pot = open[Math.floor(random() * open.length)];
    if (pot === undefined) break;
    chosen.add(pot);
    // Some are a thousand times richer than others.
    stakes.push({ pot, side, part: 10 ** (random() * 3) });
  }
  return stakes;
}

/** Shares of every stake: all of each pot's assets by their parts, and debts that the collateral carries. */
function shareOut(people: readonly (readonly Stake[])[]): readonly (readonly bigint[])[] {
  const parts = new Map<Pot, number>();
  const holders = new Map<Pot, number>();
  for (const { pot, side, part } of people.flat()) {
    if (side !== 'assets') continue;
    parts.set(pot, (parts.get(pot) ?? 0) + part);
    holders.set(pot, (holders.get(pot) ?? 0) + 1);
  }
  const left = new Map<Pot, { assets: bigint; liabilities: bigint }>();
  return people.map((stakes) => {
    let collateralUsd = 0;
    const debts = stakes.filter(({ side }) => side === 'liabilities').length;
    return stakes.map(({ pot, side, part }) => {
      const rest = left.get(pot) ?? { assets: pot.assets, liabilities: pot.liabilities };
      left.set(pot, rest);
      if (side === 'assets') {
        const remaining = (holders.get(pot) ?? 1) - 1;
        holders.set(pot, remaining);
        const even = partOf(pot.assets, part / (parts.get(pot) ?? 1));
        // The last one takes what rounding left.
        const shares = remaining === 0 || even > rest.assets ? rest.assets : even;
        rest.assets -= shares;
        collateralUsd += Number(shares) * pot.assetUsd;
        return shares;
      }
      const usd = (collateralUsd * MAX_DEBT_PERCENT * (part / 1000)) / 100 / debts;
      const wanted = BigInt(Math.floor(usd / pot.debtUsd));
      const shares = wanted < rest.liabilities ? wanted : rest.liabilities;
      rest.liabilities -= shares;
      return shares;
    });
  });
}

const PARTS = 2 ** 52;

/** A fraction of a number, rounded down. */
function partOf(whole: bigint, fraction: number): bigint {
  return (whole * BigInt(Math.floor(fraction * PARTS))) / BigInt(PARTS);
}

function keyOf(seed: number, kind: 'account' | 'authority', index: number): Uint8Array {
  return createHash('sha256').update(`crowd ${seed}/${kind}/${index}`).digest();
}

/** Mulberry32: a hash per roll, as the actors' dice have, takes too long for a million rolls. */
function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
