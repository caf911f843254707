import { drawBank, drawCollateral, drawDebt, drawOracleFault, feedOf, SOL } from '../builders/aims/draw.ts';
import { editTerms } from '../builders/edit-chain.ts';
import { setFeedAge } from '../builders/feed-age.ts';
import { fund, makeAccount } from '../builders/made-wallet.ts';
import { baseWorth } from '../builders/worth.ts';
import { askLoop } from './ask-leverage.ts';
import {
  drawBesides,
  drawLeverage,
  drawLooper,
  drawPair,
  drawTables,
  giveDebtAccount,
  mostOf,
} from './draw-leverage.ts';
import type { LeverageAim } from './leverage-aim.ts';
import { leverageOf } from './leverage-figures.ts';
import { tryNamedLeverage } from './named-edge.ts';

/** Loops, and what keeps them from landing. */
export const LOOP_AIMS: readonly LeverageAim[] = [
  {
    name: 'a loop into a new account',
    weight: 16,
    async play(scene) {
      const pair = drawPair(scene);
      const { wallet, principal } = await drawLooper(scene, pair, scene.dice.between(20, 2_000));
      if (scene.dice.chance(50)) await giveDebtAccount(scene, wallet, pair.borrow);
      const createsAccount = scene.dice.chance(50);
      const rest = { ...drawBesides(scene), createsAccount };
      await scene.attempt({
        wallet,
        pair,
        request: askLoop(wallet.address, pair, principal, drawLeverage(scene, pair), rest),
      });
    },
  },
  {
    name: 'a loop into an account with more',
    weight: 14,
    async play(scene) {
      const pair = drawPair(scene);
      const { dice, world } = scene;
      const { wallet, principal } = await drawLooper(scene, pair, dice.between(20, 1_000));
      const others = drawCollateral(scene, [pair.deposit, pair.borrow]);
      const own = dice.chance(40) ? [{ bank: pair.deposit, side: 'asset' as const, usd: 300 }] : [];
      const owed = dice.chance(40) ? [{ bank: pair.borrow, side: 'liability' as const, usd: 20 }] : [];
      await makeAccount(world.ledger, wallet.address, [...others, ...own, ...owed]);
      const request = askLoop(wallet.address, pair, principal, drawLeverage(scene, pair), drawBesides(scene));
      await tryNamedLeverage(scene, { wallet, pair, request, ...drawTables(scene) });
    },
  },
  {
    name: 'the most leverage there is',
    weight: 10,
    async play(scene) {
      const pair = drawPair(scene);
      const { wallet, principal } = await drawLooper(scene, pair, scene.dice.between(50, 2_000));
      const request = askLoop(wallet.address, pair, principal, leverageOf(mostOf(pair)), drawBesides(scene));
      if (mostOf(pair) > 101) await tryNamedLeverage(scene, { wallet, pair, request });
    },
  },
  {
    name: 'more leverage than the pair allows',
    weight: 4,
    async play(scene) {
      const pair = drawPair(scene);
      const { wallet, principal } = await drawLooper(scene, pair, 100);
      const leverage = leverageOf(mostOf(pair) + scene.dice.pick([1, 1, 50, 10_000]));
      const request = askLoop(wallet.address, pair, principal, leverage);
      await scene.attempt({ wallet, pair, request, expects: ['LEVERAGE_EXCEEDED'] });
    },
  },
  {
    name: 'more than the wallet has',
    weight: 4,
    async play(scene) {
      const pair = drawPair(scene);
      const { wallet, principal } = await drawLooper(scene, pair, 100);
      await fund(scene.world.ledger, wallet, SOL / 5n, [[pair.deposit, scene.dice.chance(50) ? null : principal / 2n]]);
      await scene.attempt({
        wallet,
        pair,
        request: askLoop(wallet.address, pair, principal, drawLeverage(scene, pair)),
      });
    },
  },
  {
    name: 'hardly any SOL',
    weight: 3,
    async play(scene) {
      const pair = drawPair(scene);
      const { wallet, principal } = await drawLooper(scene, pair, 100);
      const lamports = scene.dice.pick([0n, 890_880n, 5_000_000n, 15_000_000n, 25_000_000n, 40_000_000n]);
      await fund(scene.world.ledger, wallet, lamports + BigInt(scene.dice.below(5_000)));
      await scene.attempt({
        wallet,
        pair,
        request: askLoop(wallet.address, pair, principal, drawLeverage(scene, pair)),
      });
    },
  },
  {
    name: 'a loop that moves the market',
    weight: 4,
    async play(scene) {
      const pair = drawPair(scene);
      const { wallet, principal } = await drawLooper(scene, pair, scene.dice.pick([200_000, 2_000_000, 20_000_000]));
      await fund(scene.world.ledger, wallet, principal + 20n * SOL);
      const request = askLoop(wallet.address, pair, principal, drawLeverage(scene, pair));
      await tryNamedLeverage(scene, { wallet, pair, request, expects: ['SWAP_ROUTE_UNAVAILABLE'] });
    },
  },
  {
    name: 'a deposit bank that is nearly full',
    weight: 5,
    async play(scene) {
      const { world } = scene;
      const pair = drawPair(scene);
      const { wallet, principal } = await drawLooper(scene, pair, 400);
      const { deposit } = pair;
      const used = (deposit.shares.totalAssetShares * deposit.shares.assetShareValue) >> 96n;
      const room = baseWorth(world.ledger, deposit, scene.dice.between(100, 700));
      const restore = editTerms(world.ledger, deposit.address, (config) => ({ ...config, depositLimit: used + room }));
      const request = askLoop(wallet.address, pair, principal, drawLeverage(scene, pair));
      await tryNamedLeverage(scene, { wallet, pair, request }).finally(restore);
    },
  },
  {
    name: 'a borrow bank that lends little more',
    weight: 5,
    async play(scene) {
      const { world } = scene;
      const pair = drawPair(scene);
      const { wallet, principal } = await drawLooper(scene, pair, 500);
      const { borrow } = pair;
      const used = (borrow.shares.totalLiabilityShares * borrow.shares.liabilityShareValue) >> 96n;
      const room = baseWorth(world.ledger, borrow, scene.dice.between(10, 200));
      const restore = editTerms(world.ledger, borrow.address, (config) => ({ ...config, borrowLimit: used + room }));
      const request = askLoop(wallet.address, pair, principal, drawLeverage(scene, pair));
      await scene.attempt({ wallet, pair, request }).finally(restore);
    },
  },
  {
    name: 'prices that are out of date',
    weight: 6,
    async play(scene) {
      const { world, dice } = scene;
      const pair = drawPair(scene);
      const { wallet, principal } = await drawLooper(scene, pair, 300);
      if (dice.chance(50)) await makeAccount(world.ledger, wallet.address, drawCollateral(scene, [pair.borrow]));
      const feeds = [pair.deposit, pair.borrow].filter(() => dice.chance(60)).map((bank) => feedOf(scene, bank));
      for (const feed of feeds) setFeedAge(world.ledger, feed, 5_000n);
      drawOracleFault(scene);
      const request = askLoop(wallet.address, pair, principal, drawLeverage(scene, pair));
      // Time stands still here: a crank brings its pool the price of a market that went on.
      await scene.attempt({ wallet, pair, request, expects: ['SWAP_ROUTE_UNAVAILABLE'] }).finally(() => {
        world.localnet.setSwitchboardFault(null);
        for (const feed of feeds) setFeedAge(world.ledger, feed, 0n);
      });
    },
  },
  {
    name: 'debts that leave no room',
    weight: 4,
    async play(scene) {
      const pair = drawPair(scene);
      const { wallet, principal } = await drawLooper(scene, pair, 100);
      const held = drawCollateral(scene, [pair.deposit, pair.borrow]);
      const debt = drawDebt(scene, held, 0.55);
      if (debt.bank === pair.deposit) return;
      await makeAccount(scene.world.ledger, wallet.address, [...held, debt]);
      const request = askLoop(wallet.address, pair, principal, drawLeverage(scene, pair));
      await tryNamedLeverage(scene, { wallet, pair, request });
    },
  },
  {
    name: 'a bank that is closed',
    weight: 4,
    async play(scene) {
      const { world, dice } = scene;
      const pair = drawPair(scene);
      const { wallet, principal } = await drawLooper(scene, pair, 100);
      const { address } = dice.chance(50) ? pair.deposit : pair.borrow;
      const state = dice.pick([0, 2]);
      const restore = editTerms(world.ledger, address, (config) => ({ ...config, operationalState: state }));
      const request = askLoop(wallet.address, pair, principal, drawLeverage(scene, pair));
      await scene.attempt({ wallet, pair, request }).finally(restore);
    },
  },
  {
    name: 'a debt where nothing is lent, or one bank twice',
    weight: 3,
    async play(scene) {
      const drawn = drawPair(scene);
      const isTwice = scene.dice.chance(50);
      const elsewhere = drawBank(scene, ({ venue }) => venue !== 'p0');
      const pair = { ...drawn, borrow: isTwice ? drawn.deposit : elsewhere };
      const { wallet, principal } = await drawLooper(scene, pair, 100);
      const request = askLoop(wallet.address, pair, principal, '1.5');
      const isSame = pair.deposit === pair.borrow;
      await scene.attempt({ wallet, pair, request, expects: [isSame ? 'INVALID_ARGUMENT' : 'BANK_NOT_BORROWABLE'] });
    },
  },
];
