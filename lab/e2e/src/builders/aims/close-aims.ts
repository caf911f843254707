import type { KeyPairSigner } from '@solana/kit';
import { asset, debt, type WantedBalance } from '../accounts.ts';
import { askClose } from '../ask.ts';
import type { Pair } from '../pairs.ts';
import type { Aim } from '../random.ts';
import { partOf, type Scene, SOL } from '../scene.ts';
import { tryNamedRepay } from './edge-aims.ts';
import { withOldPricesOf, withOneClosed } from './loop-aims.ts';

/** Closes, and what keeps them from landing. */
export const CLOSE_AIMS: readonly Aim<Scene>[] = [
  {
    name: 'a close of a part or all',
    weight: 20,
    async play(scene) {
      const { dice } = scene;
      const pair = scene.pair();
      const owed = dice.between(20, 400);
      const wallet = await drawPosition(scene, pair, [owed * 2.5, owed], drawOthers(scene, pair));
      await scene.debtAccount(wallet, pair.borrow);
      const part = partOf(scene.worth(pair.borrow, owed), dice.between(1, 90));
      const repay = dice.chance(50) ? 'all' : part;
      const surplus = repay === 'all' && dice.chance(30) ? 'redeposit' : 'wallet';
      await scene.close(wallet, pair, repay, { ...scene.besides(), surplus }, scene.tables());
    },
  },
  {
    name: 'a close with the banks left out',
    weight: 4,
    async play(scene) {
      const pair = scene.pair();
      const wallet = await drawPosition(scene, pair, [700, 200]);
      const named = askClose(wallet.address, pair, 'all', scene.besides());
      const request = { ...named, ...(scene.dice.chance(50) ? { depositBank: null } : {}), borrowBank: null };
      await scene.attempt({ wallet, pair, request });
    },
  },
  {
    name: 'collateral that does not cover the debt',
    weight: 6,
    async play(scene) {
      const pair = scene.pair();
      const others = scene.collateral(pair.deposit, pair.borrow).map(({ bank }) => asset(bank, 3_000));
      const wallet = await drawPosition(scene, pair, [scene.dice.between(20, 299), 300], others);
      await tryNamedRepay(scene, { wallet, pair, request: askClose(wallet.address, pair, 'all') });
    },
  },
  {
    name: 'a close of more than is owed',
    weight: 4,
    async play(scene) {
      const pair = scene.pair();
      const wallet = await drawPosition(scene, pair, [900, 200]);
      const tooMuch = scene.worth(pair.borrow, scene.dice.pick([210, 1_000, 100_000]));
      await tryNamedRepay(scene, { wallet, pair, request: askClose(wallet.address, pair, tooMuch) });
    },
  },
  {
    name: 'more than one call repays',
    weight: 4,
    async play(scene) {
      const pair = scene.pair();
      if (!hasLent(scene, pair, 1_000_000)) return;
      const wallet = await drawPosition(scene, pair, [2_000_000, scene.dice.between(251_000, 600_000)]);
      const request = askClose(wallet.address, pair, 'all');
      const expects = ['REPAY_LIMIT_EXCEEDED', 'SWAP_ROUTE_UNAVAILABLE'];
      await tryNamedRepay(scene, { wallet, pair, request, expects });
    },
  },
  {
    name: 'an account that is not healthy',
    weight: 5,
    async play(scene) {
      const { dice } = scene;
      const pair = scene.pair();
      const wallet = await drawPosition(scene, pair, [400, dice.between(200, 390)]);
      await scene.close(wallet, pair, dice.chance(40) ? 'all' : scene.worth(pair.borrow, dice.between(1, 150)));
    },
  },
  {
    name: 'nothing owed, or nothing deposited',
    weight: 4,
    async play(scene) {
      const pair = scene.pair();
      const amounts = scene.dice.pick([
        [500, 0],
        [0, 50],
        [0, 0],
      ] as const);
      const wallet = await drawPosition(scene, pair, amounts, scene.collateral(pair.deposit, pair.borrow));
      // Every venue has another word for what is not there.
      const expects = [amounts[1] === 0 ? 'REPAY_LIMIT_EXCEEDED' : 'INSUFFICIENT_COLLATERAL'];
      await scene.close(wallet, pair, 'all', {}, { expects });
    },
  },
  {
    name: 'a close where a bank is closed',
    weight: 4,
    async play(scene) {
      const pair = scene.pair();
      const wallet = await drawPosition(scene, pair, [600, 200]);
      await withOneClosed(scene, pair, () => scene.close(wallet, pair, 'all'));
    },
  },
  {
    name: 'a close at prices that are out of date',
    weight: 5,
    async play(scene) {
      const pair = scene.pair();
      const wallet = await drawPosition(scene, pair, [600, 200], drawOthers(scene, pair));
      await withOldPricesOf(scene, pair, (how) => scene.close(wallet, pair, 'all', {}, how));
    },
  },
  {
    name: 'aggregators that fail',
    weight: 4,
    async play(scene) {
      const { dice } = scene;
      const { localnet } = scene.world;
      const pair = scene.pair();
      const wallet = await drawPosition(scene, pair, [600, 200]);
      const down = dice.pick([['jupiter'], ['dflow'], ['jupiter', 'dflow']] as const);
      for (const name of down) localnet.setAggregatorFault(name, dice.pick([{ kind: 'down' }, { kind: 'no_route' }]));
      const expects = down.length === 2 ? { expects: ['SWAP_ROUTE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'] } : {};
      await scene.close(wallet, pair, 'all', {}, expects).finally(() => {
        for (const name of down) localnet.setAggregatorFault(name, null);
      });
    },
  },
];

/** Whether the borrow bank has lent out so much: no debt of an account is larger than all debts. */
function hasLent(scene: Scene, { borrow }: Pair, usd: number): boolean {
  const { totalLiabilityShares, liabilityShareValue } = borrow.shares;
  return (totalLiabilityShares * liabilityShareValue) >> 96n > scene.worth(borrow, usd);
}

/** Half of the time nothing. */
function drawOthers(scene: Scene, { deposit, borrow }: Pair): readonly WantedBalance[] {
  return scene.dice.chance(50) ? [] : scene.collateral(deposit, borrow);
}

/** A wallet whose account has so many dollars of collateral and debt, and what else it holds. */
async function drawPosition(
  scene: Scene,
  { deposit, borrow }: Pair,
  [assetUsd, debtUsd]: readonly [number, number],
  others: readonly WantedBalance[] = [],
): Promise<KeyPairSigner> {
  const wallet = await scene.walletWith(BigInt(scene.dice.between(1, 20)) * SOL);
  const sides = [asset(deposit, assetUsd), debt(borrow, debtUsd)].filter(({ usd }) => usd > 0);
  await scene.account(wallet, [...sides, ...others]);
  return wallet;
}
