import { ask, askAt } from '../ask.ts';
import { makeAccount } from '../made-wallet.ts';
import type { Aim } from './aim.ts';
import { drawBank, drawCollateral, drawWallet, isCollateral, isDebt } from './draw.ts';

/** Requests that name what is not there, or not enough. */
export const WRONG_REQUESTS: readonly Aim[] = [
  {
    name: 'an amount that is none',
    weight: 3,
    async play(scene) {
      const bank = drawBank(scene, isCollateral);
      const wallet = await drawWallet(scene, bank, 10);
      const amount = scene.dice.pick(['0', '0.0', `1.${'1'.repeat(bank.decimals + 1)}`, '-3']);
      await scene.attempt({ wallet, bank, request: ask('deposit', wallet.address, { bank: bank.address, amount }) });
    },
  },
  {
    name: 'somebody else’s account, or none',
    weight: 3,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, isCollateral);
      const [wallet, other] = [await drawWallet(scene, bank, 10), await dice.wallet()];
      const account = dice.chance(50)
        ? await makeAccount(world.ledger, other.address, [{ bank, side: 'asset', usd: 50 }])
        : dice.pick([bank.mint, bank.liquidityVault, other.address]);
      const kind = dice.pick(['withdraw', 'deposit'] as const);
      await scene.attempt({ wallet, bank, request: askAt(kind, wallet.address, bank, 1_000n, { account }) });
    },
  },
  {
    name: 'a bank that is none',
    weight: 3,
    async play(scene) {
      const { dice } = scene;
      const wallet = await drawWallet(scene, null);
      const { mint, liquidityVault } = drawBank(scene, () => true);
      const nowhere = (await dice.wallet()).address;
      const kind = dice.pick(['deposit', 'withdraw', 'borrow', 'repay'] as const);
      const request = ask(kind, wallet.address, { bank: dice.pick([mint, liquidityVault, nowhere]), amount: '1' });
      await scene.attempt({ wallet, bank: null, request });
    },
  },
  {
    name: 'a wallet without an account',
    weight: 2,
    async play(scene) {
      const bank = drawBank(scene, isDebt);
      const wallet = await drawWallet(scene, bank, 10);
      const kind = scene.dice.pick(['withdraw', 'borrow', 'repay'] as const);
      await scene.attempt({ wallet, bank, request: askAt(kind, wallet.address, bank, 1_000n) });
    },
  },
  {
    name: 'a wallet with several accounts',
    weight: 3,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, isDebt);
      const wallet = await drawWallet(scene, bank, 10);
      for (const index of dice.some([0, 1, 2, 3], dice.between(2, 3)))
        await makeAccount(world.ledger, wallet.address, drawCollateral(scene), { index });
      const kind = dice.pick(['deposit', 'withdraw', 'borrow', 'repay'] as const);
      await scene.attempt({ wallet, bank, request: askAt(kind, wallet.address, bank, 1_000n) });
    },
  },
];
