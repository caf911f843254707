import { ASSET_TAG, isIntegrationTag } from '@lending/domain';
import { ask, askAt } from '../ask.ts';
import { editTerms, pauseProgram } from '../edit-chain.ts';
import { fund, makeAccount, type WantedBalance } from '../made-wallet.ts';
import { baseWorth } from '../worth.ts';
import type { Aim } from './aim.ts';
import { drawBank, drawCollateral, drawDebt, drawWallet, isCollateral, isDebt, isOpen, SOL } from './draw.ts';

/** Requests that wallets, debts, banks or the program do not allow. */
export const FORBIDDEN: readonly Aim[] = [
  {
    name: 'more than the wallet has',
    weight: 4,
    async play(scene) {
      const { world, dice } = scene;
      const isRepay = dice.chance(40);
      const bank = drawBank(
        scene,
        isRepay ? isDebt : (one) => isOpen(one) && one.venue !== 'drift' && one.assetTag !== ASSET_TAG.staked,
      );
      const wallet = await drawWallet(scene, bank, 20);
      // SOL is what the wallet itself holds.
      await fund(world.ledger, wallet, SOL / 10n, dice.chance(30) ? [[bank, null]] : []);
      if (isRepay)
        await makeAccount(world.ledger, wallet.address, [
          ...drawCollateral(scene, [bank]),
          { bank, side: 'liability', usd: 90 },
        ]);
      const amount = isRepay && dice.chance(50) ? 'all' : baseWorth(world.ledger, bank, 60);
      await scene.attempt({
        wallet,
        bank,
        request: askAt(isRepay ? 'repay' : 'deposit', wallet.address, bank, amount),
      });
    },
  },
  {
    name: 'hardly any SOL',
    weight: 4,
    async play(scene) {
      const { world, dice } = scene;
      const isSol = dice.chance(40);
      const bank = drawBank(scene, (one) => isCollateral(one) && (one.decimals === 9 || !isSol));
      const wallet = await drawWallet(scene, bank, 100);
      const lamports = dice.pick([
        0n,
        1n,
        890_880n,
        2_000_000n,
        5_000_000n,
        10_000_000n,
        20_000_000n,
        30_000_000n,
        40_000_000n,
      ]);
      await fund(world.ledger, wallet, lamports + BigInt(dice.below(5_000)));
      if (dice.chance(50)) await makeAccount(world.ledger, wallet.address, []);
      await scene.attempt({
        wallet,
        bank,
        request: askAt('deposit', wallet.address, bank, baseWorth(world.ledger, bank, 50)),
      });
    },
  },
  {
    name: 'a withdrawal that debt forbids',
    weight: 4,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, isCollateral);
      const wallet = await drawWallet(scene, bank);
      const held: WantedBalance = { bank, side: 'asset', usd: dice.between(200, 1_000) };
      await makeAccount(world.ledger, wallet.address, [held, drawDebt(scene, [held], 0.3)]);
      const amount = dice.chance(50)
        ? 'all'
        : (baseWorth(world.ledger, bank, held.usd) * BigInt(dice.between(80, 97))) / 100n;
      await scene.attempt({ wallet, bank, request: askAt('withdraw', wallet.address, bank, amount) });
    },
  },
  {
    name: 'a debt where nothing is lent',
    weight: 3,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, (one) => isIntegrationTag(one.assetTag) || one.assetTag === ASSET_TAG.staked);
      const wallet = await drawWallet(scene, bank, 50);
      await makeAccount(world.ledger, wallet.address, drawCollateral(scene));
      await scene.attempt({
        wallet,
        bank,
        request: askAt(dice.chance(70) ? 'borrow' : 'repay', wallet.address, bank, 1_000n),
      });
    },
  },
  {
    name: 'a bank that is closed',
    weight: 6,
    async play(scene) {
      const { world, dice } = scene;
      const kind = dice.pick(['deposit', 'withdraw', 'borrow', 'repay'] as const);
      const bank = drawBank(scene, kind === 'borrow' || kind === 'repay' ? isDebt : isCollateral);
      const side = kind === 'repay' ? 'liability' : 'asset';
      const wallet = await drawWallet(scene, bank, 100);
      const held = kind === 'borrow' ? [] : [{ bank, side, usd: 30 } as const];
      await makeAccount(world.ledger, wallet.address, [...drawCollateral(scene, [bank]), ...held]);
      const state = dice.pick([0, 2]);
      const restore = editTerms(world.ledger, bank.address, (config) => ({ ...config, operationalState: state }));
      const amount = baseWorth(world.ledger, bank, 10);
      await scene.attempt({ wallet, bank, request: askAt(kind, wallet.address, bank, amount) }).finally(restore);
    },
  },
  {
    name: 'a program that is paused',
    weight: 2,
    async play(scene) {
      const { world, dice } = scene;
      const kind = dice.pick(['deposit', 'withdraw', 'borrow', 'repay', 'create_account'] as const);
      const bank = drawBank(scene, isDebt);
      const wallet = await drawWallet(scene, bank, 100);
      const side = kind === 'repay' ? 'liability' : 'asset';
      const held = kind === 'borrow' ? [] : [{ bank, side, usd: 30 } as const];
      if (kind !== 'create_account')
        await makeAccount(world.ledger, wallet.address, [...drawCollateral(scene, [bank]), ...held]);
      const restore = pauseProgram(world.ledger);
      const isCreate = kind === 'create_account';
      const request = isCreate
        ? ask(kind, wallet.address)
        : askAt(kind, wallet.address, bank, baseWorth(world.ledger, bank, 5));
      await scene.attempt({ wallet, bank: isCreate ? null : bank, request }).finally(restore);
    },
  },
  {
    name: 'a venue of which nothing works',
    weight: 13,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, (one) => one.venue === 'drift');
      const wallet = await drawWallet(scene, bank, 100);
      await makeAccount(world.ledger, wallet.address, [...drawCollateral(scene), { bank, side: 'asset', usd: 40 }]);
      const kind = dice.pick(['deposit', 'withdraw'] as const);
      await scene.attempt({
        wallet,
        bank,
        request: askAt(kind, wallet.address, bank, baseWorth(world.ledger, bank, 10)),
      });
    },
  },
];
