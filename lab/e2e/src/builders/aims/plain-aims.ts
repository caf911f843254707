import { ASSET_TAG } from '@lending/domain';
import { asset } from '../accounts.ts';
import { ask } from '../ask.ts';
import type { Aim } from '../random.ts';
import { isCollateral, isDebt, isOpen, partOf, type Scene, total } from '../scene.ts';

/** What mostly goes well. */
export const PLAIN_AIMS: readonly Aim<Scene>[] = [
  {
    name: 'create an account',
    weight: 3,
    async play(scene) {
      const wallet = await scene.wallet(null);
      if (scene.dice.chance(40)) await scene.account(wallet, scene.collateral());
      const request = ask('create_account', wallet.address, { version: scene.version() });
      await scene.attempt({ wallet, bank: null, request });
    },
  },
  {
    name: 'deposit',
    weight: 16,
    async play(scene) {
      const { dice } = scene;
      const bank = scene.bank((one) => isOpen(one) && one.venue !== 'drift');
      const usd = dice.between(1, 2_000);
      const wallet = await scene.wallet(bank, usd);
      if (dice.chance(60)) {
        const isStaked = bank.assetTag === ASSET_TAG.staked;
        const held = isStaked ? [] : [...scene.collateral(bank), ...(dice.chance(30) ? [asset(bank, 50)] : [])];
        await scene.account(wallet, held);
      }
      const amount = partOf(scene.worth(bank, usd), dice.between(1, 95));
      await scene.act(wallet, 'deposit', bank, amount, { version: scene.version() });
    },
  },
  {
    name: 'withdraw a part or all',
    weight: 20,
    async play(scene) {
      const { dice } = scene;
      const bank = scene.bank(isCollateral);
      const usd = dice.between(20, 1_000);
      const wallet = await scene.wallet(bank, dice.chance(30) ? 25 : 0);
      const others = scene.collateral(bank);
      const debts = dice.chance(35) ? [scene.debt([...others, asset(bank, 0)], 0.1)] : [];
      const account = await scene.account(wallet, [asset(bank, usd), ...others, ...debts]);
      const part = partOf(scene.worth(bank, usd), dice.between(1, 80));
      const amount = dice.chance(40) ? 'all' : part;
      const named = dice.chance(50) ? { account } : {};
      await scene.act(wallet, 'withdraw', bank, amount, { ...named, version: scene.version() });
    },
  },
  {
    name: 'borrow',
    weight: 12,
    async play(scene) {
      const { dice } = scene;
      const bank = scene.bank(isDebt);
      const collateral = scene.collateral(bank);
      const wallet = await scene.wallet(bank, dice.chance(30) ? 25 : 0);
      await scene.account(wallet, collateral);
      const amount = scene.worth(bank, (total(collateral) * dice.between(1, 25)) / 100);
      await scene.act(wallet, 'borrow', bank, amount, { version: scene.version() });
    },
  },
  {
    name: 'repay a part or all',
    weight: 14,
    async play(scene) {
      const { dice } = scene;
      const collateral = scene.collateral();
      const owed = scene.debt(collateral, 0.25);
      const wallet = await scene.wallet(owed.bank, owed.usd * 1.5);
      await scene.account(wallet, [...collateral, owed]);
      const part = partOf(scene.worth(owed.bank, owed.usd), dice.between(1, 90));
      await scene.act(wallet, 'repay', owed.bank, dice.chance(45) ? 'all' : part, { version: scene.version() });
    },
  },
];
