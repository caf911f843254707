import { ASSET_TAG, isIntegrationTag } from '@lending/domain';
import { asset, debt } from '../accounts.ts';
import { type ActionKind, ask } from '../ask.ts';
import { pauseProgram } from '../chain-edits.ts';
import type { Aim } from '../random.ts';
import { isCollateral, isDebt, isOrdinary, type Scene, SOL } from '../scene.ts';

const KINDS = ['deposit', 'withdraw', 'borrow', 'repay'] as const satisfies readonly ActionKind[];

/** Requests that name what is not there, or what wallets, debts, banks or the program do not allow. */
export const REFUSED_AIMS: readonly Aim<Scene>[] = [
  {
    name: 'an amount that is none',
    weight: 3,
    async play(scene) {
      const bank = scene.bank(isCollateral);
      const wallet = await scene.wallet(bank, 10);
      const amount = scene.dice.pick(['0', '0.0', `1.${'1'.repeat(bank.decimals + 1)}`, '-3']);
      const request = ask('deposit', wallet.address, { bank: bank.address, amount });
      await scene.attempt({ wallet, bank, request });
    },
  },
  {
    name: 'an account of another wallet, or none',
    weight: 3,
    async play(scene) {
      const { dice } = scene;
      const bank = scene.bank(isCollateral);
      const [wallet, other] = [await scene.wallet(bank, 10), await dice.wallet()];
      const account = dice.chance(50)
        ? await scene.account(other, [asset(bank, 50)])
        : dice.pick([bank.mint, bank.liquidityVault, other.address]);
      await scene.act(wallet, dice.pick(['withdraw', 'deposit']), bank, 1_000n, { account });
    },
  },
  {
    name: 'a bank that is none',
    weight: 3,
    async play(scene) {
      const { dice } = scene;
      const wallet = await scene.wallet(null);
      const { mint, liquidityVault } = scene.bank(() => true);
      const nowhere = (await dice.wallet()).address;
      const kind = dice.pick(KINDS);
      const request = ask(kind, wallet.address, { bank: dice.pick([mint, liquidityVault, nowhere]), amount: '1' });
      await scene.attempt({ wallet, bank: null, request });
    },
  },
  {
    name: 'a wallet without an account',
    weight: 2,
    async play(scene) {
      const bank = scene.bank(isDebt);
      const wallet = await scene.wallet(bank, 10);
      await scene.act(wallet, scene.dice.pick(['withdraw', 'borrow', 'repay']), bank, 1_000n);
    },
  },
  {
    name: 'a wallet with several accounts',
    weight: 3,
    async play(scene) {
      const { dice } = scene;
      const bank = scene.bank(isDebt);
      const wallet = await scene.wallet(bank, 10);
      for (const index of dice.some([0, 1, 2, 3], dice.between(2, 3)))
        await scene.account(wallet, scene.collateral(), { index });
      await scene.act(wallet, dice.pick(KINDS), bank, 1_000n);
    },
  },
  {
    name: 'more than the wallet has',
    weight: 4,
    async play(scene) {
      const { dice } = scene;
      const isRepay = dice.chance(40);
      const bank = scene.bank(isRepay ? isDebt : isOrdinary);
      const wallet = await scene.wallet(bank, 20);
      // SOL is what the wallet itself holds.
      await scene.fund(wallet, SOL / 10n, dice.chance(30) ? [[bank, null]] : []);
      if (isRepay) await scene.account(wallet, [...scene.collateral(bank), debt(bank, 90)]);
      const amount = isRepay && dice.chance(50) ? 'all' : scene.worth(bank, 60);
      await scene.act(wallet, isRepay ? 'repay' : 'deposit', bank, amount);
    },
  },
  {
    name: 'hardly any SOL',
    weight: 4,
    async play(scene) {
      const { dice } = scene;
      const isSol = dice.chance(40);
      const bank = scene.bank((one) => isCollateral(one) && (one.decimals === 9 || !isSol));
      const wallet = await scene.wallet(bank, 100);
      const lamports = dice.pick([0, 1, 890_880, 2_000_000, 5_000_000, 10_000_000, 20_000_000, 30_000_000, 40_000_000]);
      await scene.fund(wallet, BigInt(lamports + dice.below(5_000)));
      if (dice.chance(50)) await scene.account(wallet, []);
      await scene.act(wallet, 'deposit', bank, scene.worth(bank, 50));
    },
  },
  {
    name: 'a withdrawal that debt forbids',
    weight: 4,
    async play(scene) {
      const { dice } = scene;
      const bank = scene.bank(isCollateral);
      const wallet = await scene.wallet(bank);
      const held = asset(bank, dice.between(200, 1_000));
      await scene.account(wallet, [held, scene.debt([held], 0.3)]);
      const part = () => (scene.worth(bank, held.usd) * BigInt(dice.between(80, 97))) / 100n;
      await scene.act(wallet, 'withdraw', bank, dice.chance(50) ? 'all' : part());
    },
  },
  {
    name: 'a debt where nothing is lent',
    weight: 3,
    async play(scene) {
      const bank = scene.bank((one) => isIntegrationTag(one.assetTag) || one.assetTag === ASSET_TAG.staked);
      const wallet = await scene.wallet(bank, 50);
      await scene.account(wallet, scene.collateral());
      await scene.act(wallet, scene.dice.chance(70) ? 'borrow' : 'repay', bank, 1_000n);
    },
  },
  {
    name: 'a bank that is closed',
    weight: 6,
    async play(scene) {
      const { dice } = scene;
      const kind = dice.pick(KINDS);
      const bank = scene.bank(kind === 'borrow' || kind === 'repay' ? isDebt : isCollateral);
      const wallet = await scene.wallet(bank, 100);
      await scene.account(wallet, [...scene.collateral(bank), ...heldFor(kind, bank, 30)]);
      const operationalState = dice.pick([0, 2]);
      await scene.withTerms(
        bank,
        (config) => ({ ...config, operationalState }),
        () => scene.act(wallet, kind, bank, scene.worth(bank, 10)),
      );
    },
  },
  {
    name: 'a program that is paused',
    weight: 2,
    async play(scene) {
      const kind = scene.dice.pick([...KINDS, 'create_account'] as const);
      const bank = scene.bank(isDebt);
      const wallet = await scene.wallet(bank, 100);
      if (kind !== 'create_account')
        await scene.account(wallet, [...scene.collateral(bank), ...heldFor(kind, bank, 30)]);
      const restore = pauseProgram(scene.ledger);
      const attempted =
        kind === 'create_account'
          ? scene.attempt({ wallet, bank: null, request: ask(kind, wallet.address) })
          : scene.act(wallet, kind, bank, scene.worth(bank, 5));
      await attempted.finally(restore);
    },
  },
  {
    name: 'a venue of which nothing works',
    weight: 13,
    async play(scene) {
      const bank = scene.bank((one) => one.venue === 'drift');
      const wallet = await scene.wallet(bank, 100);
      await scene.account(wallet, [...scene.collateral(), asset(bank, 40)]);
      await scene.act(wallet, scene.dice.pick(['deposit', 'withdraw']), bank, scene.worth(bank, 10));
    },
  },
  {
    name: 'a price of the bank’s own that is out of date, or nearly',
    weight: 7,
    async play(scene) {
      const { dice } = scene;
      const bank = scene.bank(isDebt);
      const feed = scene.feedOf(bank);
      const isElsewhere = (one: typeof bank) => scene.feedOf(one) !== feed;
      const collateral = scene.collateral(bank).filter((one) => isElsewhere(one.bank));
      const wallet = await scene.wallet(bank, 50);
      const kind = dice.pick(['borrow', 'borrow', 'borrow', 'repay', 'deposit', 'withdraw'] as const);
      const another = () => scene.bank((one) => isDebt(one) && one.weights.assetInit > 0n && isElsewhere(one));
      const others = collateral.length > 0 ? collateral : [asset(another(), 900)];
      await scene.account(wallet, [...others, ...heldFor(kind, bank, 50)]);
      const oldest = bank.oracle.maxAgeSeconds;
      const age = BigInt(dice.pick([oldest - 1, oldest, oldest + 1, oldest + 1, 5_000, 5_000]));
      await scene.withOldPrices([feed], age, () => scene.act(wallet, kind, bank, scene.worth(bank, 10)));
    },
  },
  {
    name: 'prices of collateral that are out of date',
    weight: 5,
    async play(scene) {
      const { dice } = scene;
      const bank = scene.bank(isDebt);
      const collateral = scene.collateral(bank);
      const owed = scene.debt([...collateral, asset(bank, 50)], 0.1);
      const wallet = await scene.wallet(bank, 50);
      const kind = dice.pick(['borrow', 'withdraw', 'repay', 'deposit'] as const);
      const own = kind === 'borrow' ? [] : [...heldFor(kind, bank, 50), owed];
      await scene.account(wallet, [...collateral, ...own]);
      const stale = dice.some(collateral, dice.between(1, 3));
      const feeds = [...new Set(stale.map((one) => scene.feedOf(one.bank)))];
      await scene.withOldPrices(feeds, 5_000n, () => scene.act(wallet, kind, bank, scene.worth(bank, 20)));
    },
  },
];

/** What an account has of a bank before it acts on it. */
export function heldFor(kind: ActionKind, bank: Parameters<typeof asset>[0], usd: number) {
  if (kind === 'borrow') return [];
  return [kind === 'repay' ? debt(bank, usd) : asset(bank, usd)];
}
