import { type Comparison, differs, type Figure } from '@lending/audit';
import { BANK_FLAG } from '@lending/domain';
import { MARGINFI_MAIN_GROUP, NO_KEY } from '@lending/programs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDice, type Dice } from '#actors/dice.ts';
import { DEMO_FEEDS } from '#market/feeds.ts';
import { pick } from '../native/spoil.ts';
import { type Change, kindOf, leavesOf, type Planted, plant, type Side, type Spot } from './testing/plant.ts';
import { randomTouches } from './testing/random-touches.ts';
import { comparisonsOf, type Touch } from './testing/touch-audit.ts';

const { PLANTED_COUNT = '500', PLANTED_SEED = '1' } = process.env;
/** What plants are looked for in, of random transactions. */
const TRANSACTIONS = 1_000;
/** Touches that one plant is shown to. */
const TOUCHES = 40;

/** What the program writes from its figures, and what names, places or dates something: no figure is made from it. */
const NOT_MADE_FROM =
  /[cC]ache\.(?!programFee)|healthCache|^account lastUpdate$|liquidationTaggedAt|_pad|_cb_|Bump|bumps?$|[Tt]imestamp|entryCapacity|indexerFlags|bankSeed|^(bank mint|bank group|account group|account authority)$|Vault|Admin|admin|Wallet|feesDestination|emissions|migrated|bankPk|banks$/;

/** Fields that decide what is allowed, or when, and go into no figure that the program leaves behind. */
const UNSEEN: readonly { readonly path: RegExp; readonly why: string }[] = [
  { path: /^bank config\.(depositLimit|borrowLimit)$/, why: 'a limit refuses; it is in no figure' },
  { path: /rateLimiter/, why: 'a limit refuses; it is in no figure' },
  { path: /^bank config\.oracleMaxAge$/, why: 'an old price is refused; a price that was taken has no age' },
  {
    path: /^bank (config\.)?cb/,
    why: 'the breaker refuses; the seconds of its halts are seen only where they are more than ours',
  },
  {
    path: /^bank collected\w+Outstanding$/,
    why: 'what was earned is added to by dust and paid out; interest on it there is none',
  },
  { path: /^bank (lending|borrowing)PositionCount$/, why: 'a count' },
  {
    path: /^bank liquidation\w+Fee$/,
    why: 'what a liquidation pays is in its event, and in the balances of two accounts',
  },
  {
    path: /^bank config\.interestRateConfig\.protocolOriginationFee$/,
    why: 'it is in the debt that a borrow leaves, whose amount no account has',
  },
  {
    path: /^bank config\.interestRateConfig\.(optimalUtilizationRate|plateauInterestRate|maxInterestRate)$/,
    why: 'of a curve that is not in use',
  },
  {
    path: /^bank (emode\.flags|emode\.emodeConfig\.entries\.N\.flags|config\.configFlags)$/,
    why: 'no arithmetic reads it',
  },
  { path: /^bank emissions/, why: 'emissions are paid off the chain' },
  { path: /^group (groupFlags|premiumSettings\.entryCount|emodeMax\w+)$/, why: 'a bound of settings' },
  {
    path: /^account (accountFlags|activeOrders|rebalanceExecutionSeq)$/,
    why: 'it decides what may be done',
  },
  {
    path: /^account lendingAccount\.balances\.N\.(bankAssetTag|tag)$|^account lendingAccount\.lastTagUsed$/,
    why: 'no arithmetic reads it',
  },
];

const scaled =
  (permille: bigint): Change =>
  (value) =>
    typeof value === 'bigint' ? (value * permille) / 1_000n : Number((BigInt(value) * permille) / 1_000n);
/** A basis point of a yearly rate, as curves have it: u32::MAX is 1000 %. */
const BASIS_POINT = 42_950;
const REDUCE_ONLY = 2;

/** What the program would have done otherwise than we think, and the figure that shows it. */
const NAMED: readonly {
  readonly name: string;
  readonly kind: Planted;
  readonly path: RegExp;
  readonly change: Change;
  readonly figure: Figure;
  readonly side?: Side;
}[] = [
  {
    name: 'another initial weight of collateral',
    kind: 'bank',
    path: /config\.assetWeightInit$/,
    change: scaled(990n),
    figure: 'health',
  },
  {
    name: 'another maintenance weight of collateral',
    kind: 'bank',
    path: /config\.assetWeightMaint$/,
    change: scaled(990n),
    figure: 'health',
  },
  {
    name: 'another initial weight of debt',
    kind: 'bank',
    path: /config\.liabilityWeightInit$/,
    change: scaled(1_010n),
    figure: 'health',
  },
  {
    name: 'another maintenance weight of debt',
    kind: 'bank',
    path: /config\.liabilityWeightMaint$/,
    change: scaled(1_010n),
    figure: 'health',
  },
  {
    name: 'a rate of the curve off by a basis point',
    kind: 'bank',
    path: /points\.N\.rate$/,
    change: (rate) => Number(rate) + BASIS_POINT,
    figure: 'rates',
  },
  {
    name: 'a utilisation of the curve off by a thousandth',
    kind: 'bank',
    path: /points\.N\.util$/,
    change: scaled(999n),
    figure: 'rates',
  },
  {
    name: "another fee of the bank's group",
    kind: 'bank',
    path: /protocolIrFee$/,
    change: scaled(1_010n),
    figure: 'rates',
  },
  {
    name: "another fee of the program's",
    kind: 'group',
    path: /feeStateCache\.programFeeRate$/,
    change: scaled(1_010n),
    figure: 'rates',
  },
  {
    name: 'a stale value of deposits',
    kind: 'bank',
    path: /assetShareValue$/,
    change: scaled(999n),
    figure: 'interest',
    side: 'before',
  },
  {
    name: 'a stale value of debts',
    kind: 'bank',
    path: /liabilityShareValue$/,
    change: (value) => BigInt(value) - 1n,
    figure: 'interest',
    side: 'before',
  },
  {
    name: 'other totals of debts',
    kind: 'bank',
    path: /totalLiabilityShares$/,
    change: scaled(1_001n),
    figure: 'rates',
  },
  { name: 'an oracle read elsewhere', kind: 'bank', path: /oracleKeys\.N$/, change: otherFeed, figure: 'price' },
  {
    name: 'a field that multiplies the price',
    kind: 'bank',
    path: /cache\.priceMultiplier$/,
    change: scaled(1_010n),
    figure: 'price',
    side: 'after',
  },
  {
    name: 'a premium without one of the collaterals',
    kind: 'bank',
    path: /premiumTag$/,
    change: () => 0,
    figure: 'premium',
  },
  {
    name: 'another premium of a pair',
    kind: 'group',
    path: /premiumEntries\.N\.rate$/,
    change: scaled(1_010n),
    figure: 'premium',
  },
  {
    name: 'a premium claimed at another rate',
    kind: 'account',
    path: /premiumRateSnapshot$/,
    change: scaled(1_010n),
    figure: 'premium',
    side: 'before',
  },
  {
    name: 'another weight of e-mode',
    kind: 'bank',
    path: /entries\.N\.assetWeightInit$/,
    change: scaled(1_010n),
    figure: 'health',
  },
  {
    name: 'another leverage of same assets',
    kind: 'group',
    path: /sameAssetEmodeInitLeverage$/,
    change: scaled(990n),
    figure: 'health',
  },
  {
    name: 'other shares of a deposit',
    kind: 'account',
    path: /balances\.N\.assetShares$/,
    change: scaled(1_001n),
    figure: 'health',
  },
  {
    name: 'collateral that counts though the bank only winds down',
    kind: 'bank',
    path: /operationalState$/,
    change: () => REDUCE_ONLY,
    figure: 'health',
  },
  {
    name: 'another number of decimals',
    kind: 'bank',
    path: /mintDecimals$/,
    change: (decimals) => Number(decimals) + 1,
    figure: 'health',
  },
  {
    name: 'another limit of what backs new debt',
    kind: 'bank',
    path: /totalAssetValueInitLimit$/,
    change: () => 1n,
    figure: 'health',
  },
];

/** The feed of another bank. */
function otherFeed(value: number | bigint | string): string {
  const feeds = [DEMO_FEEDS.SOL, DEMO_FEEDS.USDC].map(({ account }) => account);
  return feeds.find((feed) => feed !== value) ?? String(value);
}

describe('differences planted in what random transactions touch', () => {
  let touches: readonly Audited[];
  beforeAll(async () => {
    const found: Audited[] = [];
    for await (const touch of randomTouches('0.1.12', `planted ${PLANTED_SEED}`, TRANSACTIONS)) {
      const comparisons = comparisonsOf(touch);
      if (comparisons.length > 0) found.push({ touch, comparisons });
    }
    touches = found;
  });

  it.each(NAMED)('$name: caught in one touch', ({ kind, path, change, figure, side }) => {
    const outcomes = placesOf(touches, kind, (name) => path.test(name))
      .map((place) => judge(place, change, side))
      .filter((one) => one.isDependedOn || one.caught.length > 0);
    const caught = outcomes.filter((one) => one.caught.length > 0);
    expect(caught.flatMap((one) => one.caught.map((comparison) => comparison.figure))).toContain(figure);
    expect(outcomes.filter((one) => one.caught.length === 0 && !one.isSilent).map(({ words }) => words)).toEqual([]);
  });

  describe(`${PLANTED_COUNT} at random`, () => {
    const tally = new Map<string, { caught: number; ended: number; without: number }>();
    const placesByName = () => {
      const places = new Map<string, Place[]>();
      for (const kind of ['bank', 'group', 'account'] as const) {
        for (const place of placesOf(touches, kind, (name) => !NOT_MADE_FROM.test(name))) {
          places.set(place.name, [...(places.get(place.name) ?? []), place]);
        }
      }
      return places;
    };
    const judgeSome = (dice: Dice, name: string, places: readonly Place[]) => {
      const change = randomChange(dice, name);
      return Array.from({ length: TOUCHES }, () => judge(pick(dice, places), change));
    };
    afterAll(() => {
      const rows = [...tally].sort(([one], [other]) => (one < other ? -1 : 1));
      console.log(
        rows
          .map(([name, { caught, ended, without }]) => `${caught} caught, ${ended} end it, ${without} idle\t${name}`)
          .join('\n'),
      );
      const sum = (of: 'caught' | 'ended') => rows.reduce((all, [, row]) => all + row[of], 0);
      console.log(`${sum('caught')} caught, ${sum('ended')} end the comparison they are in`);
      console.log(UNSEEN.map(({ path, why }) => `unseen: ${path.source}: ${why}`).join('\n'));
    });

    it('are caught wherever they move a figure', () => {
      const dice = createDice(`plants ${PLANTED_SEED}`);
      const places = placesByName();
      const names = [...places.keys()].filter((name) => !isUnseen(name));
      const missed: string[] = [];
      let planted = 0;
      while (planted < Number(PLANTED_COUNT)) {
        const name = pick(dice, names);
        const moved = judgeSome(dice, name, places.get(name) ?? []).filter((one) => one.isDependedOn || one.isSilent);
        const row = tally.get(name) ?? { caught: 0, ended: 0, without: 0 };
        tally.set(name, row);
        if (moved.length === 0) {
          row.without += 1;
          continue;
        }
        planted += 1;
        if (moved.some(({ caught }) => caught.length > 0)) row.caught += 1;
        else if (moved.every(({ isSilent }) => isSilent)) row.ended += 1;
        const unnoticed = moved.filter(({ caught, isSilent }) => caught.length === 0 && !isSilent);
        missed.push(...unnoticed.map(({ words }) => words));
      }
      expect(missed).toEqual([]);
      expect([...tally].filter(([, { caught, without }]) => caught === 0 && without === 0)).toEqual([]);
    });

    it('move nothing in fields that no figure on the chain shows', () => {
      const dice = createDice(`unseen ${PLANTED_SEED}`);
      const moved = [...placesByName()]
        .filter(([name]) => isUnseen(name))
        .flatMap(([name, places]) =>
          judgeSome(dice, name, places)
            .filter(({ isDependedOn, isSilent }) => isDependedOn || isSilent)
            .map(({ words }) => words),
        );
      expect(moved).toEqual([]);
    });
  });
});

function isUnseen(name: string): boolean {
  return UNSEEN.some(({ path }) => path.test(name));
}

interface Audited {
  readonly touch: Touch;
  readonly comparisons: readonly Comparison[];
}

interface Place extends Spot {
  readonly audited: Audited;
  /** With the numbers of what is in a row left out. */
  readonly name: string;
}

/** Where a field stands that a figure of a touch may be made from; what is zero is not in use. */
function placesOf(touches: readonly Audited[], kind: Planted, isWanted: (name: string) => boolean): readonly Place[] {
  return touches.flatMap((audited) => {
    const { touch, comparisons } = audited;
    const concerned = comparisons.flatMap(({ banks, account }) => [...banks, ...(account === null ? [] : [account])]);
    return [...new Set([...concerned, MARGINFI_MAIN_GROUP])].flatMap((address) => {
      const data = touch.after.get(address)?.data;
      if (data === undefined || kindOf(data) !== kind) return [];
      return [...leavesOf(kind, data)].flatMap(([path, value]) => {
        const name = `${kind} ${path.replaceAll(/\.\d+(?=\.|$)/g, '.N')}`;
        const isUsed =
          typeof value === 'string' ? /oracleKeys\.0$/.test(path) && value !== NO_KEY : Number(value) !== 0;
        return isUsed && isWanted(name) ? [{ audited, address, name, path }] : [];
      });
    });
  });
}

/** What a plant does: whether any figure of ours is farther from what it was than it may be from the program's, and which are too far from the program's. */
function judge({ audited: { touch, comparisons }, ...spot }: Place, change: Change, side?: Side) {
  const planted = comparisonsOf(plant(touch, spot, change, side));
  const nameOf = ({ figure, field, account, banks }: Comparison) =>
    `${field} ${figure === 'health' ? account : banks[0]}`;
  const was = new Map(comparisons.map((one) => [nameOf(one), one.ours]));
  const isOther = (one: Comparison) => differs({ ...one, theirs: was.get(nameOf(one)) ?? one.ours });
  return {
    caught: planted.filter(differs),
    /** A comparison is left out that was made before: the plant takes away what it rests on. */
    isSilent: planted.length < comparisons.length,
    isDependedOn: planted.some(isOther),
    words: `${spot.path} of ${spot.address} in ${touch.name}`,
  };
}

function randomChange(dice: Dice, name: string): Change {
  if (name === 'bank flags') {
    const flag = pick(dice, [BANK_FLAG.isSameAssetEligible, BANK_FLAG.chargesPremium]);
    return (value) => (value as bigint) ^ flag;
  }
  if (name === 'bank config.riskTier') return (value) => Number(value) ^ 1;
  const permille = pick(dice, [-500, -100, -20, 20, 100, 500]);
  return (value) => {
    if (typeof value === 'bigint') return value + (value * BigInt(permille)) / 1_000n + (permille > 0 ? 1n : 0n);
    if (typeof value === 'string') return otherFeed(value);
    if (value < 100) return Math.max(0, value + Math.sign(permille));
    return Math.min(value + Math.trunc((value * permille) / 1_000), value > 0xffff ? 0xffff_ffff : 0xffff);
  };
}
