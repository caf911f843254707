import { askAt } from '../ask.ts';
import { setFeedAge } from '../feed-age.ts';
import { makeAccount } from '../made-wallet.ts';
import { baseWorth } from '../worth.ts';
import type { Aim } from './aim.ts';
import {
  anotherFeed,
  drawBank,
  drawCollateral,
  drawDebt,
  drawOracleFault,
  drawWallet,
  feedOf,
  isDebt,
} from './draw.ts';

/** Prices that are out of date, or nearly. */
export const OLD_PRICES: readonly Aim[] = [
  {
    name: 'a price of the bank’s own that is out of date, or nearly',
    weight: 7,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, isDebt);
      const feed = feedOf(scene, bank);
      const collateral = drawCollateral(scene, [bank]).filter((one) => feedOf(scene, one.bank) !== feed);
      const wallet = await drawWallet(scene, bank, 50);
      const kind = dice.pick(['borrow', 'borrow', 'borrow', 'repay', 'deposit', 'withdraw'] as const);
      const held =
        kind === 'borrow' ? [] : [{ bank, side: kind === 'repay' ? 'liability' : 'asset', usd: 50 } as const];
      const others =
        collateral.length > 0 ? collateral : [{ bank: anotherFeed(scene, feed), side: 'asset' as const, usd: 900 }];
      await makeAccount(world.ledger, wallet.address, [...others, ...held]);
      const oldest = bank.oracle.maxAgeSeconds;
      setFeedAge(world.ledger, feed, BigInt(dice.pick([oldest - 1, oldest, oldest + 1, oldest + 1, 5_000, 5_000])));
      const request = askAt(kind, wallet.address, bank, baseWorth(world.ledger, bank, 10));
      drawOracleFault(scene);
      await scene.attempt({ wallet, bank, request }).finally(() => {
        world.localnet.setSwitchboardFault(null);
        setFeedAge(world.ledger, feed, 0n);
      });
    },
  },
  {
    name: 'prices of collateral that are out of date',
    weight: 5,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, isDebt);
      const collateral = drawCollateral(scene, [bank]);
      const debt = drawDebt(scene, [...collateral, { bank, side: 'asset', usd: 50 }], 0.1);
      const wallet = await drawWallet(scene, bank, 50);
      const kind = dice.pick(['borrow', 'withdraw', 'repay', 'deposit'] as const);
      const own = { bank, side: kind === 'repay' ? 'liability' : 'asset', usd: 50 } as const;
      await makeAccount(world.ledger, wallet.address, [...collateral, ...(kind === 'borrow' ? [] : [own, debt])]);
      const feeds = [...new Set(dice.some(collateral, dice.between(1, 3)).map((one) => feedOf(scene, one.bank)))];
      for (const feed of feeds) setFeedAge(world.ledger, feed, 5_000n);
      const request = askAt(kind, wallet.address, bank, baseWorth(world.ledger, bank, 20));
      drawOracleFault(scene);
      await scene.attempt({ wallet, bank, request }).finally(() => {
        world.localnet.setSwitchboardFault(null);
        for (const feed of feeds) setFeedAge(world.ledger, feed, 0n);
      });
    },
  },
];
