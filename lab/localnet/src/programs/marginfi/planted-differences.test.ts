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
const UNSEEN: readonly (readonly [path: RegExp, why: string])[] = [
  [/^bank config\.(depositLimit|borrowLimit)$/, 'a limit refuses; it is in no figure'],
  [/rateLimiter/, 'a limit refuses; it is in no figure'],
  [/^bank config\.oracleMaxAge$/, 'an old price is refused; a price that was taken has no age'],
  [/^bank (config\.)?cb/, 'the breaker refuses; the seconds of its halts are seen only where they are more than ours'],
  [/^bank collected\w+Outstanding$/, 'what was earned is added to by dust and paid out; interest on it there is none'],
  [/^bank (lending|borrowing)PositionCount$/, 'a count'],
  [/^bank liquidation\w+Fee$/, 'what a liquidation pays is in its event, and in the balances of two accounts'],
  [
    /^bank config\.interestRateConfig\.protocolOriginationFee$/,
    'it is in the debt that a borrow leaves, whose amount no account has',
  ],
  [
    /^bank config\.interestRateConfig\.(optimalUtilizationRate|plateauInterestRate|maxInterestRate)$/,
    'of a curve that is not in use',
  ],
  [/^bank (emode\.flags|emode\.emodeConfig\.entries\.N\.flags|config\.configFlags)$/, 'no arithmetic reads it'],
  [/^bank emissions/, 'emissions are paid off the chain'],
  [/^group (groupFlags|premiumSettings\.entryCount|emodeMax\w+)$/, 'a bound of settings'],
  [/^account (accountFlags|activeOrders|rebalanceExecutionSeq)$/, 'it decides what may be done'],
  [
    /^account lendingAccount\.balances\.N\.(bankAssetTag|tag)$|^account lendingAccount\.lastTagUsed$/,
    'no arithmetic reads it',
  ],
];

const scaled =
  (permille: bigint): Change =>
  (value) =>
    typeof value === 'bigint' ? (value * permille) / 1_000n : Number((BigInt(value) * permille) / 1_000n);
/** A basis point of a yearly rate, as curves have it: u32::MAX is 1000 %. */
const BASIS_POINT = 42_950;
const REDUCE_ONLY = 2;

/** What the program would have done otherwise than we think, and the figure that shows it. */
const NAMED: readonly (readonly [
  name: string,
  kind: Planted,
  path: RegExp,
  change: Change,
  figure: Figure,
  side?: Side,
])[] = [
  ['another initial weight of collateral', 'bank', /config\.assetWeightInit$/, scaled(990n), 'health'],
  ['another maintenance weight of collateral', 'bank', /config\.assetWeightMaint$/, scaled(990n), 'health'],
  ['another initial weight of debt', 'bank', /config\.liabilityWeightInit$/, scaled(1_010n), 'health'],
  ['another maintenance weight of debt', 'bank', /config\.liabilityWeightMaint$/, scaled(1_010n), 'health'],
  [
    'a rate of the curve off by a basis point',
    'bank',
    /points\.N\.rate$/,
    (rate) => Number(rate) + BASIS_POINT,
    'rates',
  ],
  ['a utilisation of the curve off by a thousandth', 'bank', /points\.N\.util$/, scaled(999n), 'rates'],
  ["another fee of the bank's group", 'bank', /protocolIrFee$/, scaled(1_010n), 'rates'],
  ["another fee of the program's", 'group', /feeStateCache\.programFeeRate$/, scaled(1_010n), 'rates'],
  ['a stale value of deposits', 'bank', /assetShareValue$/, scaled(999n), 'interest', 'before'],
  ['a stale value of debts', 'bank', /liabilityShareValue$/, (value) => BigInt(value) - 1n, 'interest', 'before'],
  ['other totals of debts', 'bank', /totalLiabilityShares$/, scaled(1_001n), 'rates'],
  ['an oracle read elsewhere', 'bank', /oracleKeys\.N$/, otherFeed, 'price'],
  ['a field that multiplies the price', 'bank', /cache\.priceMultiplier$/, scaled(1_010n), 'price', 'after'],
  ['a premium without one of the collaterals', 'bank', /premiumTag$/, () => 0, 'premium'],
  ['another premium of a pair', 'group', /premiumEntries\.N\.rate$/, scaled(1_010n), 'premium'],
  ['a premium claimed at another rate', 'account', /premiumRateSnapshot$/, scaled(1_010n), 'premium', 'before'],
  ['another weight of e-mode', 'bank', /entries\.N\.assetWeightInit$/, scaled(1_010n), 'health'],
  ['another leverage of same assets', 'group', /sameAssetEmodeInitLeverage$/, scaled(990n), 'health'],
  ['other shares of a deposit', 'account', /balances\.N\.assetShares$/, scaled(1_001n), 'health'],
  ['collateral that counts though the bank only winds down', 'bank', /operationalState$/, () => REDUCE_ONLY, 'health'],
  ['another number of decimals', 'bank', /mintDecimals$/, (decimals) => Number(decimals) + 1, 'health'],
  ['another limit of what backs new debt', 'bank', /totalAssetValueInitLimit$/, () => 1n, 'health'],
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

  it.for(NAMED)('%s: caught in one touch', ([, kind, path, change, figure, side]) => {
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
      console.log(UNSEEN.map(([path, why]) => `unseen: ${path.source}: ${why}`).join('\n'));
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
  return UNSEEN.some(([path]) => path.test(name));
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
