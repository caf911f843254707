import { drawCollateral, drawOracleFault, feedOf, SOL } from '../builders/aims/draw.ts';
import { editTerms } from '../builders/edit-chain.ts';
import { setFeedAge } from '../builders/feed-age.ts';
import { fund, makeAccount, type WantedBalance } from '../builders/made-wallet.ts';
import { baseWorth } from '../builders/worth.ts';
import { askClose } from './ask-leverage.ts';
import { drawBesides, drawPair, drawTables, giveDebtAccount } from './draw-leverage.ts';
import type { LeverageAim, LeverageScene } from './leverage-aim.ts';
import { tryNamedRepay } from './named-edge.ts';
import type { Pair } from './pairs.ts';

/** Closes, and what keeps them from landing. */
export const CLOSE_AIMS: readonly LeverageAim[] = [
  {
    name: 'a close of a part or all',
    weight: 20,
    async play(scene) {
      const { dice, world } = scene;
      const pair = drawPair(scene);
      const debt = dice.between(20, 400);
      const wallet = await drawPosition(scene, pair, [debt * 2.5, debt], drawOthers(scene, pair));
      if (dice.chance(50)) await giveDebtAccount(scene, wallet, pair.borrow);
      const part = (baseWorth(world.ledger, pair.borrow, debt) * BigInt(dice.between(1, 90))) / 100n;
      const repay = dice.chance(50) ? 'all' : part > 0n ? part : 1n;
      const surplus = repay === 'all' && dice.chance(30) ? 'redeposit' : 'wallet';
      const request = askClose(wallet.address, pair, repay, { ...drawBesides(scene), surplus });
      await scene.attempt({ wallet, pair, request, ...drawTables(scene) });
    },
  },
  {
    name: 'a close with the banks left out',
    weight: 4,
    async play(scene) {
      const pair = drawPair(scene);
      const wallet = await drawPosition(scene, pair, [700, 200]);
      const named = askClose(wallet.address, pair, 'all', drawBesides(scene));
      const request = { ...named, ...(scene.dice.chance(50) ? { depositBank: null } : {}), borrowBank: null };
      await scene.attempt({ wallet, pair, request });
    },
  },
  {
    name: 'collateral that does not cover the debt',
    weight: 6,
    async play(scene) {
      const { dice } = scene;
      const pair = drawPair(scene);
      const others = drawCollateral(scene, [pair.deposit, pair.borrow]).map((each) => ({ ...each, usd: 3_000 }));
      const wallet = await drawPosition(scene, pair, [dice.between(20, 299), 300], others);
      await tryNamedRepay(scene, { wallet, pair, request: askClose(wallet.address, pair, 'all') });
    },
  },
  {
    name: 'more than is owed',
    weight: 4,
    async play(scene) {
      const pair = drawPair(scene);
      const wallet = await drawPosition(scene, pair, [900, 200]);
      const tooMuch = baseWorth(scene.world.ledger, pair.borrow, scene.dice.pick([210, 1_000, 100_000]));
      await tryNamedRepay(scene, { wallet, pair, request: askClose(wallet.address, pair, tooMuch) });
    },
  },
  {
    name: 'more than one call repays',
    weight: 4,
    async play(scene) {
      const pair = drawPair(scene);
      if (!hasLent(scene, pair, 1_000_000)) return;
      const wallet = await drawPosition(scene, pair, [2_000_000, scene.dice.between(251_000, 600_000)]);
      const request = askClose(wallet.address, pair, 'all');
      await tryNamedRepay(scene, {
        wallet,
        pair,
        request,
        expects: ['REPAY_LIMIT_EXCEEDED', 'SWAP_ROUTE_UNAVAILABLE'],
      });
    },
  },
  {
    name: 'an account that is not healthy',
    weight: 5,
    async play(scene) {
      const { dice } = scene;
      const pair = drawPair(scene);
      const wallet = await drawPosition(scene, pair, [400, dice.between(200, 390)]);
      const repay = dice.chance(40) ? 'all' : baseWorth(scene.world.ledger, pair.borrow, dice.between(1, 150));
      await scene.attempt({ wallet, pair, request: askClose(wallet.address, pair, repay) });
    },
  },
  {
    name: 'nothing owed, or nothing deposited',
    weight: 4,
    async play(scene) {
      const pair = drawPair(scene);
      const amounts = scene.dice.pick([
        [500, 0],
        [0, 50],
        [0, 0],
      ] as const);
      const wallet = await drawPosition(scene, pair, amounts, drawCollateral(scene, [pair.deposit, pair.borrow]));
      const request = askClose(wallet.address, pair, 'all');
      // Every venue has another word for what is not there.
      const expects = [amounts[1] === 0 ? 'REPAY_LIMIT_EXCEEDED' : 'INSUFFICIENT_COLLATERAL'];
      await scene.attempt({ wallet, pair, request, expects });
    },
  },
  {
    name: 'a close where a bank is closed',
    weight: 4,
    async play(scene) {
      const { world, dice } = scene;
      const pair = drawPair(scene);
      const wallet = await drawPosition(scene, pair, [600, 200]);
      const { address } = dice.chance(50) ? pair.deposit : pair.borrow;
      const state = dice.pick([0, 2]);
      const restore = editTerms(world.ledger, address, (config) => ({ ...config, operationalState: state }));
      const request = askClose(wallet.address, pair, 'all');
      await scene.attempt({ wallet, pair, request }).finally(restore);
    },
  },
  {
    name: 'a close at prices that are out of date',
    weight: 5,
    async play(scene) {
      const { world, dice } = scene;
      const pair = drawPair(scene);
      const wallet = await drawPosition(scene, pair, [600, 200], drawOthers(scene, pair));
      const feeds = [pair.deposit, pair.borrow].filter(() => dice.chance(60)).map((bank) => feedOf(scene, bank));
      for (const feed of feeds) setFeedAge(world.ledger, feed, 5_000n);
      drawOracleFault(scene);
      const request = askClose(wallet.address, pair, 'all');
      // Time stands still here: a crank brings its pool the price of a market that went on.
      await scene.attempt({ wallet, pair, request, expects: ['SWAP_ROUTE_UNAVAILABLE'] }).finally(() => {
        world.localnet.setSwitchboardFault(null);
        for (const feed of feeds) setFeedAge(world.ledger, feed, 0n);
      });
    },
  },
  {
    name: 'aggregators that fail',
    weight: 4,
    async play(scene) {
      const { world, dice } = scene;
      const pair = drawPair(scene);
      const wallet = await drawPosition(scene, pair, [600, 200]);
      const down = dice.pick([['jupiter'], ['dflow'], ['jupiter', 'dflow']] as const);
      for (const name of down)
        world.localnet.setAggregatorFault(name, dice.pick([{ kind: 'down' }, { kind: 'no_route' }]));
      const request = askClose(wallet.address, pair, 'all');
      const expects = down.length === 2 ? { expects: ['SWAP_ROUTE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'] } : {};
      await scene.attempt({ wallet, pair, request, ...expects }).finally(() => {
        for (const name of down) world.localnet.setAggregatorFault(name, null);
      });
    },
  },
];

/** Whether the borrow bank has lent out so much: no debt of an account is larger than all debts. */
function hasLent({ world }: LeverageScene, { borrow }: Pair, usd: number): boolean {
  const { totalLiabilityShares, liabilityShareValue } = borrow.shares;
  return (totalLiabilityShares * liabilityShareValue) >> 96n > baseWorth(world.ledger, borrow, usd);
}

/** Half of the time nothing. */
function drawOthers(scene: LeverageScene, { deposit, borrow }: Pair): readonly WantedBalance[] {
  return scene.dice.chance(50) ? [] : drawCollateral(scene, [deposit, borrow]);
}

/** A wallet whose account has so many dollars of collateral and debt, and what else it holds. */
async function drawPosition(
  { world, dice }: LeverageScene,
  { deposit, borrow }: Pair,
  [asset, liability]: readonly [number, number],
  others: readonly WantedBalance[] = [],
) {
  const wallet = await dice.wallet();
  await fund(world.ledger, wallet, BigInt(dice.between(1, 20)) * SOL);
  const sides: readonly WantedBalance[] = [
    { bank: deposit, side: 'asset', usd: asset },
    { bank: borrow, side: 'liability', usd: liability },
  ];
  await makeAccount(world.ledger, wallet.address, [...sides.filter(({ usd }) => usd > 0), ...others]);
  return wallet;
}
