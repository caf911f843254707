import { ACCOUNT_FLAG, ASSET_TAG, isIntegrationTag } from '@lending/domain';
import { WRAPPED_SOL_MINT } from '@lending/programs';
import { asset, giveTokens } from '../accounts.ts';
import type { Aim } from '../random.ts';
import { isCollateral, isDebt, isOwnPool, type Scene, total } from '../scene.ts';
import { heldFor } from './refused-aims.ts';

/** Accounts, tokens and wishes that are not like most. */
export const ODD_AIMS: readonly Aim<Scene>[] = [
  {
    name: 'staked collateral beside other',
    weight: 3,
    async play(scene) {
      const { dice } = scene;
      const isStaked = dice.chance(50);
      const staked = scene.bank((one) => one.assetTag === ASSET_TAG.staked);
      const plain = scene.bank((one) => isDebt(one) && one.assetTag === ASSET_TAG.default);
      const [held, bank] = isStaked ? [staked, plain] : [plain, staked];
      const wallet = await scene.wallet(bank, 100);
      await scene.account(wallet, [asset(held, 500)]);
      await scene.act(wallet, isStaked && dice.chance(50) ? 'borrow' : 'deposit', bank, scene.worth(bank, 20));
    },
  },
  {
    name: 'an account that is full',
    weight: 4,
    async play(scene) {
      const { dice, world } = scene;
      const own = world.banks.filter((one) => isOwnPool(one) && one.weights.assetInit > 0n);
      const venues = world.banks.filter((one) => isIntegrationTag(one.assetTag) && isCollateral(one));
      const count = dice.pick([16, 16, 16, 15]);
      const held = [...dice.some(own, count - 4), ...dice.some(venues, dice.pick([4, 4, 8]))].slice(0, count);
      const bank = scene.bank((one) => isCollateral(one) && !held.includes(one));
      const wallet = await scene.wallet(bank, 100);
      await scene.account(
        wallet,
        held.map((one) => asset(one, 50)),
      );
      await scene.act(wallet, 'deposit', bank, scene.worth(bank, 20));
    },
  },
  {
    name: 'a long portfolio',
    weight: 9,
    async play(scene) {
      const { dice, world } = scene;
      const own = world.banks.filter((one) => isCollateral(one) && isOwnPool(one));
      const venues = world.banks.filter((one) => isIntegrationTag(one.assetTag) && isCollateral(one));
      const held = dice.some([...dice.some(own, 10), ...dice.some(venues, 6)], dice.between(4, 16));
      const isSol = dice.chance(40);
      const bank = (isSol ? held.find(({ mint }) => mint === WRAPPED_SOL_MINT) : undefined) ?? dice.pick(held);
      const wallet = await scene.wallet(bank);
      const balances = held.map((one) => asset(one, 50));
      const debts = held.length < 16 && dice.chance(60) ? [scene.debt(balances, 0.05)] : [];
      await scene.account(wallet, [...balances, ...debts]);
      const tables = scene.tables(60);
      const version = tables.deps === undefined ? scene.version() : 0;
      const amount = dice.chance(30) ? 'all' : scene.worth(bank, 20);
      await scene.act(wallet, 'withdraw', bank, amount, { version }, tables);
    },
  },
  {
    name: 'an account that is locked',
    weight: 3,
    async play(scene) {
      const { dice } = scene;
      const bank = scene.bank(isDebt);
      const wallet = await scene.wallet(bank, 100);
      const kind = dice.pick(['deposit', 'withdraw', 'borrow', 'repay'] as const);
      const flags = dice.pick([ACCOUNT_FLAG.disabled, ACCOUNT_FLAG.frozen]);
      const held = [...scene.collateral(bank), ...heldFor(kind, bank, 30)];
      const account = await scene.account(wallet, held, { flags });
      await scene.act(wallet, kind, bank, scene.worth(bank, 5), { account });
    },
  },
  {
    name: 'tokens that are frozen',
    weight: 2,
    async play(scene) {
      const bank = scene.bank((one) => isCollateral(one) && one.decimals !== 9);
      const wallet = await scene.wallet(bank);
      const tokens = { amountBase: scene.worth(bank, 100), isFrozen: true };
      await giveTokens(scene.ledger, wallet.address, bank, tokens);
      await scene.account(wallet, [asset(bank, 100)]);
      await scene.act(wallet, scene.dice.pick(['deposit', 'withdraw']), bank, scene.worth(bank, 20));
    },
  },
  {
    name: 'a policy of the caller’s',
    weight: 6,
    async play(scene) {
      const { dice } = scene;
      const bank = scene.bank(isDebt);
      const collateral = scene.collateral(bank);
      const wallet = await scene.wallet(bank);
      await scene.account(wallet, collateral);
      const amount = scene.worth(bank, (total(collateral) * dice.between(5, 20)) / 100);
      const minHealthRatioAfter = dice.pick([1, 1.5, 50, 100]);
      const policy = { minHealthRatioAfter, maxSlippageBps: null, maxPriceImpactPct: null };
      await scene.act(wallet, 'borrow', bank, amount, { policy });
    },
  },
  {
    name: 'an isolated debt beside another',
    weight: 3,
    async play(scene) {
      const bank = scene.bank((one) => isOwnPool(one) && one.riskTier === 'Isolated');
      const collateral = scene.collateral();
      const wallet = await scene.wallet(bank);
      const debts = scene.dice.chance(70) ? [scene.debt(collateral, 0.05)] : [];
      await scene.account(wallet, [...collateral, ...debts]);
      await scene.act(wallet, 'borrow', bank, scene.worth(bank, Math.max(1, total(collateral) * 0.02)));
    },
  },
];
