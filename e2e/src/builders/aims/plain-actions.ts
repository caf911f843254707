import { ASSET_TAG } from '@lending/domain';
import { ask, askAt } from '../ask.ts';
import { makeAccount } from '../made-wallet.ts';
import { baseWorth } from '../worth.ts';
import type { Aim } from './aim.ts';
import {
  drawBank,
  drawCollateral,
  drawDebt,
  drawVersion,
  drawWallet,
  isCollateral,
  isDebt,
  isOpen,
  total,
} from './draw.ts';

/** What mostly goes well. */
export const PLAIN_ACTIONS: readonly Aim[] = [
  {
    name: 'create an account',
    weight: 3,
    async play(scene) {
      const wallet = await drawWallet(scene, null);
      if (scene.dice.chance(40)) await makeAccount(scene.world.ledger, wallet.address, drawCollateral(scene));
      await scene.attempt({
        wallet,
        bank: null,
        request: ask('create_account', wallet.address, { version: drawVersion(scene) }),
      });
    },
  },
  {
    name: 'deposit',
    weight: 16,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, (one) => isOpen(one) && one.venue !== 'drift');
      const usd = dice.between(1, 2_000);
      const wallet = await drawWallet(scene, bank, usd);
      const isStaked = bank.assetTag === ASSET_TAG.staked;
      if (dice.chance(60)) {
        const held = isStaked
          ? []
          : [...drawCollateral(scene, [bank]), ...(dice.chance(30) ? [{ bank, side: 'asset' as const, usd: 50 }] : [])];
        await makeAccount(world.ledger, wallet.address, held);
      }
      const amount = (baseWorth(world.ledger, bank, usd) * BigInt(dice.between(1, 95))) / 100n;
      const request = askAt('deposit', wallet.address, bank, amount > 0n ? amount : 1n, {
        version: drawVersion(scene),
      });
      await scene.attempt({ wallet, bank, request });
    },
  },
  {
    name: 'withdraw a part or all',
    weight: 20,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, isCollateral);
      const usd = dice.between(20, 1_000);
      const wallet = await drawWallet(scene, bank, dice.chance(30) ? 25 : 0);
      const others = drawCollateral(scene, [bank]);
      const debts = dice.chance(35) ? [drawDebt(scene, [...others, { bank, side: 'asset', usd: 0 }], 0.1)] : [];
      const account = await makeAccount(world.ledger, wallet.address, [
        { bank, side: 'asset', usd },
        ...others,
        ...debts,
      ]);
      const part = (baseWorth(world.ledger, bank, usd) * BigInt(dice.between(1, 80))) / 100n;
      const amount = dice.chance(40) ? ('all' as const) : part > 0n ? part : 1n;
      const named = dice.chance(50) ? { account } : {};
      await scene.attempt({
        wallet,
        bank,
        request: askAt('withdraw', wallet.address, bank, amount, { ...named, version: drawVersion(scene) }),
      });
    },
  },
  {
    name: 'borrow',
    weight: 12,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, isDebt);
      const collateral = drawCollateral(scene, [bank]);
      const wallet = await drawWallet(scene, bank, dice.chance(30) ? 25 : 0);
      await makeAccount(world.ledger, wallet.address, collateral);
      const amount = baseWorth(world.ledger, bank, (total(collateral) * dice.between(1, 25)) / 100);
      await scene.attempt({
        wallet,
        bank,
        request: askAt('borrow', wallet.address, bank, amount, { version: drawVersion(scene) }),
      });
    },
  },
  {
    name: 'repay a part or all',
    weight: 14,
    async play(scene) {
      const { world, dice } = scene;
      const collateral = drawCollateral(scene);
      const debt = drawDebt(scene, collateral, 0.25);
      const { bank } = debt;
      const wallet = await drawWallet(scene, bank, debt.usd * 1.5);
      await makeAccount(world.ledger, wallet.address, [...collateral, debt]);
      const part = (baseWorth(world.ledger, bank, debt.usd) * BigInt(dice.between(1, 90))) / 100n;
      const amount = dice.chance(45) ? ('all' as const) : part > 0n ? part : 1n;
      await scene.attempt({
        wallet,
        bank,
        request: askAt('repay', wallet.address, bank, amount, { version: drawVersion(scene) }),
      });
    },
  },
];
