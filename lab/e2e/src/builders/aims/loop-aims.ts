import type { Bank } from '@lending/programs';
import { asset, debt } from '../accounts.ts';
import { askLoop } from '../ask.ts';
import type { Attempt } from '../attempt.ts';
import { leverageOf, type Pair } from '../pairs.ts';
import type { Aim } from '../random.ts';
import { mostOf, type Scene, SOL } from '../scene.ts';
import { tryNamedLeverage } from './edge-aims.ts';

/** Loops, and what keeps them from landing. */
export const LOOP_AIMS: readonly Aim<Scene>[] = [
  {
    name: 'a loop into a new account',
    weight: 16,
    async play(scene) {
      const pair = scene.pair();
      const { wallet, principal } = await scene.looper(pair, scene.dice.between(20, 2_000));
      await scene.debtAccount(wallet, pair.borrow);
      const createsAccount = scene.dice.chance(50);
      const rest = { ...scene.besides(), createsAccount };
      await scene.loop(wallet, pair, principal, scene.leverage(pair), rest);
    },
  },
  {
    name: 'a loop into an account with more',
    weight: 14,
    async play(scene) {
      const pair = scene.pair();
      const { dice } = scene;
      const { wallet, principal } = await scene.looper(pair, dice.between(20, 1_000));
      const others = scene.collateral(pair.deposit, pair.borrow);
      const own = dice.chance(40) ? [asset(pair.deposit, 300)] : [];
      const owed = dice.chance(40) ? [debt(pair.borrow, 20)] : [];
      await scene.account(wallet, [...others, ...own, ...owed]);
      const request = askLoop(wallet.address, pair, principal, scene.leverage(pair), scene.besides());
      await tryNamedLeverage(scene, { wallet, pair, request, ...scene.tables() });
    },
  },
  {
    name: 'the most leverage there is',
    weight: 10,
    async play(scene) {
      const pair = scene.pair();
      const { wallet, principal } = await scene.looper(pair, scene.dice.between(50, 2_000));
      const request = askLoop(wallet.address, pair, principal, leverageOf(mostOf(pair)), scene.besides());
      if (mostOf(pair) > 101) await tryNamedLeverage(scene, { wallet, pair, request });
    },
  },
  {
    name: 'more leverage than the pair allows',
    weight: 4,
    async play(scene) {
      const pair = scene.pair();
      const { wallet, principal } = await scene.looper(pair, 100);
      const leverage = leverageOf(mostOf(pair) + scene.dice.pick([1, 1, 50, 10_000]));
      await scene.loop(wallet, pair, principal, leverage, {}, { expects: ['LEVERAGE_EXCEEDED'] });
    },
  },
  {
    name: 'more than the wallet has',
    weight: 4,
    async play(scene) {
      const pair = scene.pair();
      const { wallet, principal } = await scene.looper(pair, 100);
      await scene.fund(wallet, SOL / 5n, [[pair.deposit, scene.dice.chance(50) ? null : principal / 2n]]);
      await scene.loop(wallet, pair, principal, scene.leverage(pair));
    },
  },
  {
    name: 'hardly any SOL',
    weight: 3,
    async play(scene) {
      const pair = scene.pair();
      const { wallet, principal } = await scene.looper(pair, 100);
      const lamports = scene.dice.pick([0n, 890_880n, 5_000_000n, 15_000_000n, 25_000_000n, 40_000_000n]);
      await scene.fund(wallet, lamports + BigInt(scene.dice.below(5_000)));
      await scene.loop(wallet, pair, principal, scene.leverage(pair));
    },
  },
  {
    name: 'a loop that moves the market',
    weight: 4,
    async play(scene) {
      const pair = scene.pair();
      const { wallet, principal } = await scene.looper(pair, scene.dice.pick([200_000, 2_000_000, 20_000_000]));
      await scene.fund(wallet, principal + 20n * SOL);
      const request = askLoop(wallet.address, pair, principal, scene.leverage(pair));
      await tryNamedLeverage(scene, { wallet, pair, request, expects: ['SWAP_ROUTE_UNAVAILABLE'] });
    },
  },
  {
    name: 'a deposit bank that is nearly full',
    weight: 5,
    async play(scene) {
      const pair = scene.pair();
      const { deposit } = pair;
      const { wallet, principal } = await scene.looper(pair, 400);
      const used = (deposit.shares.totalAssetShares * deposit.shares.assetShareValue) >> 96n;
      const depositLimit = used + scene.worth(deposit, scene.dice.between(100, 700));
      await scene.withTerms(
        deposit,
        (config) => ({ ...config, depositLimit }),
        () => {
          const request = askLoop(wallet.address, pair, principal, scene.leverage(pair));
          return tryNamedLeverage(scene, { wallet, pair, request });
        },
      );
    },
  },
  {
    name: 'a borrow bank that lends little more',
    weight: 5,
    async play(scene) {
      const pair = scene.pair();
      const { borrow } = pair;
      const { wallet, principal } = await scene.looper(pair, 500);
      const used = (borrow.shares.totalLiabilityShares * borrow.shares.liabilityShareValue) >> 96n;
      const borrowLimit = used + scene.worth(borrow, scene.dice.between(10, 200));
      await scene.withTerms(
        borrow,
        (config) => ({ ...config, borrowLimit }),
        () => scene.loop(wallet, pair, principal, scene.leverage(pair)),
      );
    },
  },
  {
    name: 'prices that are out of date',
    weight: 6,
    async play(scene) {
      const pair = scene.pair();
      const { wallet, principal } = await scene.looper(pair, 300);
      if (scene.dice.chance(50)) await scene.account(wallet, scene.collateral(pair.borrow));
      await withOldPricesOf(scene, pair, (how) => scene.loop(wallet, pair, principal, scene.leverage(pair), {}, how));
    },
  },
  {
    name: 'debts that leave no room',
    weight: 4,
    async play(scene) {
      const pair = scene.pair();
      const { wallet, principal } = await scene.looper(pair, 100);
      const held = scene.collateral(pair.deposit, pair.borrow);
      const owed = scene.debt(held, 0.55);
      if (owed.bank === pair.deposit) return;
      await scene.account(wallet, [...held, owed]);
      const request = askLoop(wallet.address, pair, principal, scene.leverage(pair));
      await tryNamedLeverage(scene, { wallet, pair, request });
    },
  },
  {
    name: 'a loop where a bank is closed',
    weight: 4,
    async play(scene) {
      const pair = scene.pair();
      const { wallet, principal } = await scene.looper(pair, 100);
      await withOneClosed(scene, pair, () => scene.loop(wallet, pair, principal, scene.leverage(pair)));
    },
  },
  {
    name: 'a debt where nothing is lent, or one bank twice',
    weight: 3,
    async play(scene) {
      const drawn = scene.pair();
      const isTwice = scene.dice.chance(50);
      const elsewhere = scene.bank(({ venue }) => venue !== 'p0');
      const pair = { ...drawn, borrow: isTwice ? drawn.deposit : elsewhere };
      const { wallet, principal } = await scene.looper(pair, 100);
      const isSame = pair.deposit === pair.borrow;
      const expects = [isSame ? 'INVALID_ARGUMENT' : 'BANK_NOT_BORROWABLE'];
      await scene.loop(wallet, pair, principal, '1.5', {}, { expects });
    },
  },
];

/** With one bank of a pair, both or none at a price that is out of date. */
export async function withOldPricesOf(
  scene: Scene,
  { deposit, borrow }: Pair,
  task: (how: Pick<Attempt, 'expects'>) => Promise<unknown>,
): Promise<void> {
  const feeds = [deposit, borrow].filter(() => scene.dice.chance(60)).map((bank) => scene.feedOf(bank));
  // Time stands still here: a crank brings its pool the price of a market that went on.
  await scene.withOldPrices(feeds, 5_000n, () => task({ expects: ['SWAP_ROUTE_UNAVAILABLE'] }));
}

/** With one bank of a pair paused, or only taking back what it lent. */
export async function withOneClosed(
  scene: Scene,
  { deposit, borrow }: Pair,
  task: () => Promise<unknown>,
): Promise<void> {
  const bank = scene.dice.chance(50) ? deposit : borrow;
  const operationalState = scene.dice.pick([0, 2]);
  await scene.withTerms(bank, (config: Bank['config']) => ({ ...config, operationalState }), task);
}
