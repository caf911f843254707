import { ACCOUNT_FLAG, ASSET_TAG, isIntegrationTag } from '@lending/domain';
import { WRAPPED_SOL_MINT } from '@lending/programs';
import { askAt } from '../ask.ts';
import { giveTokens } from '../endow.ts';
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
  isOwnPool,
  total,
} from './draw.ts';

/** Accounts, tokens and wishes that are not like most. */
export const ODD_ACCOUNTS: readonly Aim[] = [
  {
    name: 'staked collateral beside other',
    weight: 3,
    async play(scene) {
      const { world, dice } = scene;
      const isStaked = dice.chance(50);
      const staked = drawBank(scene, (one) => one.assetTag === ASSET_TAG.staked);
      const plain = drawBank(scene, (one) => isDebt(one) && one.assetTag === ASSET_TAG.default);
      const [held, bank] = isStaked ? [staked, plain] : [plain, staked];
      const wallet = await drawWallet(scene, bank, 100);
      await makeAccount(world.ledger, wallet.address, [{ bank: held, side: 'asset', usd: 500 }]);
      const kind = isStaked && dice.chance(50) ? 'borrow' : 'deposit';
      await scene.attempt({
        wallet,
        bank,
        request: askAt(kind, wallet.address, bank, baseWorth(world.ledger, bank, 20)),
      });
    },
  },
  {
    name: 'an account that is full',
    weight: 4,
    async play(scene) {
      const { world, dice } = scene;
      const own = world.banks.filter((one) => isOwnPool(one) && one.weights.assetInit > 0n);
      const venues = world.banks.filter((one) => isIntegrationTag(one.assetTag) && isCollateral(one));
      const count = dice.pick([16, 16, 16, 15]);
      const held = [...dice.some(own, count - 4), ...dice.some(venues, dice.pick([4, 4, 8]))].slice(0, count);
      const bank = drawBank(scene, (one) => isCollateral(one) && !held.includes(one));
      const wallet = await drawWallet(scene, bank, 100);
      await makeAccount(
        world.ledger,
        wallet.address,
        held.map((one) => ({ bank: one, side: 'asset', usd: 50 })),
      );
      await scene.attempt({
        wallet,
        bank,
        request: askAt('deposit', wallet.address, bank, baseWorth(world.ledger, bank, 20)),
      });
    },
  },
  {
    name: 'a long portfolio',
    weight: 9,
    async play(scene) {
      const { world, dice } = scene;
      const own = world.banks.filter((one) => isCollateral(one) && isOwnPool(one));
      const venues = world.banks.filter((one) => isIntegrationTag(one.assetTag) && isCollateral(one));
      const held = dice.some([...dice.some(own, 10), ...dice.some(venues, 6)], dice.between(4, 16));
      const bank = dice.chance(40)
        ? (held.find(({ mint }) => mint === WRAPPED_SOL_MINT) ?? dice.pick(held))
        : dice.pick(held);
      const wallet = await drawWallet(scene, bank);
      const balances = held.map((one) => ({ bank: one, side: 'asset' as const, usd: 50 }));
      const debts = held.length < 16 && dice.chance(60) ? [drawDebt(scene, balances, 0.05)] : [];
      await makeAccount(world.ledger, wallet.address, [...balances, ...debts]);
      const deps = dice.chance(60) ? { lookupTables: [] } : {};
      const version = deps.lookupTables === undefined ? drawVersion(scene) : 0;
      const amount = dice.chance(30) ? 'all' : baseWorth(world.ledger, bank, 20);
      await scene.attempt({
        wallet,
        bank,
        deps,
        request: askAt('withdraw', wallet.address, bank, amount, { version }),
      });
    },
  },
  {
    name: 'an account that is locked',
    weight: 3,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, isDebt);
      const wallet = await drawWallet(scene, bank, 100);
      const kind = dice.pick(['deposit', 'withdraw', 'borrow', 'repay'] as const);
      const side = kind === 'repay' ? 'liability' : 'asset';
      const held = kind === 'borrow' ? [] : [{ bank, side, usd: 30 } as const];
      const flags = dice.pick([ACCOUNT_FLAG.disabled, ACCOUNT_FLAG.frozen]);
      const account = await makeAccount(world.ledger, wallet.address, [...drawCollateral(scene, [bank]), ...held], {
        flags,
      });
      await scene.attempt({
        wallet,
        bank,
        request: askAt(kind, wallet.address, bank, baseWorth(world.ledger, bank, 5), { account }),
      });
    },
  },
  {
    name: 'tokens that are frozen',
    weight: 2,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, (one) => isCollateral(one) && one.decimals !== 9);
      const wallet = await drawWallet(scene, bank);
      await giveTokens(world.ledger, wallet.address, bank, {
        amountBase: baseWorth(world.ledger, bank, 100),
        isFrozen: true,
      });
      await makeAccount(world.ledger, wallet.address, [{ bank, side: 'asset', usd: 100 }]);
      const kind = dice.pick(['deposit', 'withdraw'] as const);
      await scene.attempt({
        wallet,
        bank,
        request: askAt(kind, wallet.address, bank, baseWorth(world.ledger, bank, 20)),
      });
    },
  },
  {
    name: 'a policy of the caller’s',
    weight: 6,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, isDebt);
      const collateral = drawCollateral(scene, [bank]);
      const wallet = await drawWallet(scene, bank);
      await makeAccount(world.ledger, wallet.address, collateral);
      const amount = baseWorth(world.ledger, bank, (total(collateral) * dice.between(5, 20)) / 100);
      const policy = {
        minHealthRatioAfter: dice.pick([1, 1.5, 50, 100]),
        maxSlippageBps: null,
        maxPriceImpactPct: null,
      };
      await scene.attempt({ wallet, bank, request: askAt('borrow', wallet.address, bank, amount, { policy }) });
    },
  },
  {
    name: 'an isolated debt beside another',
    weight: 3,
    async play(scene) {
      const { world } = scene;
      const bank = drawBank(scene, (one) => isOwnPool(one) && one.riskTier === 'Isolated');
      const collateral = drawCollateral(scene);
      const wallet = await drawWallet(scene, bank);
      const debts = scene.dice.chance(70) ? [drawDebt(scene, collateral, 0.05)] : [];
      await makeAccount(world.ledger, wallet.address, [...collateral, ...debts]);
      const amount = baseWorth(world.ledger, bank, Math.max(1, total(collateral) * 0.02));
      await scene.attempt({ wallet, bank, request: askAt('borrow', wallet.address, bank, amount) });
    },
  },
];
