import { ACCOUNT_FLAG, ASSET_TAG, fromUiAmount, isIntegrationTag } from '@lending/domain';
import { WRAPPED_SOL_MINT } from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import type { Address, KeyPairSigner } from '@solana/kit';
import { ask, askAt } from './ask.ts';
import type { Attempt, Attempted } from './attempt.ts';
import type { BuildersWorld } from './builders-world.ts';
import type { Dice } from './dice.ts';
import { editTerms, pauseProgram } from './edit-chain.ts';
import { giveTokens } from './endow.ts';
import { setFeedAge } from './feed-age.ts';
import { fund, makeAccount, type WantedBalance } from './made-wallet.ts';
import { tokenKindOf } from './token-kind.ts';
import { baseWorth } from './worth.ts';

/** What an aim has at hand. */
export interface Scene {
  readonly world: BuildersWorld;
  readonly dice: Dice;
  /** Makes a request and counts it. */
  attempt(attempt: Omit<Attempt, 'aim'>): Promise<Attempted>;
}

/** A kind of situation: it prepares a wallet and makes one request or more. */
export interface Aim {
  readonly name: string;
  /** How often, relative to the others. */
  readonly weight: number;
  play(scene: Scene): Promise<void>;
}

const SOL = 1_000_000_000n;
const OPERATIONAL = 'Operational';

const isOwnPool = (bank: P0Bank) => bank.venue === 'p0' && bank.assetTag !== ASSET_TAG.staked;
const isOpen = (bank: P0Bank) => bank.operationalState === OPERATIONAL;
/** Whatever goes with ordinary assets and counts for something. */
const isCollateral = (bank: P0Bank) =>
  isOpen(bank) && bank.venue !== 'drift' && bank.assetTag !== ASSET_TAG.staked && bank.weights.assetInit > 0n;
const isDebt = (bank: P0Bank) =>
  isOwnPool(bank) && isOpen(bank) && bank.riskTier === 'Collateral' && (bank.borrowLimit ?? 1n) > 0n;

/** Venues and kinds of token that few banks have come up as often as the others. */
function drawBank({ world, dice }: Scene, fits: (bank: P0Bank) => boolean): P0Bank {
  const fitting = world.banks.filter(fits);
  const axis = dice.pick<(bank: P0Bank) => string>([
    ({ venue }: P0Bank) => venue,
    (bank: P0Bank) => tokenKindOf(world.ledger, bank),
    ({ mint }: P0Bank) => mint,
  ]);
  return dice.pick(dice.pick([...Map.groupBy(fitting, axis).values()]));
}

/** Some hundred to some thousand dollars, in one to four banks. */
function drawCollateral({ world, dice }: Scene, except: readonly P0Bank[] = []): readonly WantedBalance[] {
  const banks = world.banks.filter((bank) => isCollateral(bank) && !except.includes(bank));
  return dice
    .some(banks, dice.between(1, 4))
    .map((bank) => ({ bank, side: 'asset' as const, usd: dice.between(100, 3_000) }));
}

function total(balances: readonly WantedBalance[]): number {
  return balances.reduce((sum, { usd }) => sum + usd, 0);
}

/** A debt that is no danger. */
function drawDebt(scene: Scene, collateral: readonly WantedBalance[], share = 0.2): WantedBalance {
  const held = collateral.map(({ bank }) => bank);
  const bank = drawBank(scene, (one) => isDebt(one) && !held.includes(one));
  return { bank, side: 'liability', usd: Math.max(1, total(collateral) * share) };
}

/** A wallet with enough of everything, its token account there or not. */
async function drawWallet({ world, dice }: Scene, bank: P0Bank | null, tokensUsd = 0): Promise<KeyPairSigner> {
  const wallet = await dice.wallet();
  const tokens = bank === null || tokensUsd === 0 ? null : baseWorth(world.ledger, bank, tokensUsd);
  const given = bank === null || (tokens === null && dice.chance(50)) ? [] : [[bank, tokens ?? 0n] as const];
  await fund(world.ledger, wallet, BigInt(dice.between(5, 60)) * SOL, given);
  return wallet;
}

function feedOf({ world }: Scene, { address, oracle }: P0Bank): Address {
  const feed = oracle.keys.find((key) => world.feeds.includes(key));
  if (feed === undefined) throw new TypeError(`The bank ${address} has no feed`);
  return feed;
}

/** Half of the time no oracle signs, or none that can be reached. */
function drawOracleFault({ world, dice }: Scene): void {
  const kind = dice.pick(['crossbar_down', 'gateways_down', null, null] as const);
  world.localnet.setSwitchboardFault(kind === null ? null : { kind });
}

function anotherFeed(scene: Scene, feed: Address): P0Bank {
  return drawBank(scene, (bank) => isDebt(bank) && bank.weights.assetInit > 0n && feedOf(scene, bank) !== feed);
}

const drawVersion = ({ dice }: Scene) => (dice.chance(25) ? 1 : 0) as 0 | 1;

/** The largest amount that a refusal says would pass, base units; null where it says none. */
function namedMaximum(attempted: Attempted, bank: P0Bank): bigint | null {
  if (attempted.kind === 'landed') return null;
  const named = Object.entries(attempted.details).filter(([name, value]) => name.startsWith('max_') && value !== null);
  const raw = named.find(([name]) => name.endsWith('_raw'));
  if (raw !== undefined) return BigInt(String(raw[1]));
  const [entry] = named;
  return entry === undefined ? null : fromUiAmount(Number(entry[1]).toFixed(bank.decimals), bank.decimals);
}

/** Asks for far too much, then for the most that the refusal names, which has to land, or for one base unit more, which must not. */
async function tryEdge(
  scene: Scene,
  attempt: Omit<Attempt, 'aim' | 'request'>,
  request: (amount: bigint) => Attempt['request'],
  tooMuch: bigint,
): Promise<void> {
  const { bank } = attempt;
  if (bank === null) throw new TypeError('An edge is of a bank');
  const refused = await scene.attempt({ ...attempt, request: request(tooMuch) });
  const most = namedMaximum(refused, bank);
  if (most === null || most === 0n) return;
  // A venue's receipts grow with every slot, and the maximum with them.
  const over = await scene.attempt({ ...attempt, isOnSameState: true, request: request(most + 1n) });
  if (over.kind === 'landed')
    throw new Error(`${bank.address}: ${most} is said to be the most, and one base unit more landed`);
  const edge = await scene.attempt({ ...attempt, isOnSameState: true, request: request(most) });
  if (edge.kind === 'refused' && edge.code === over.code)
    throw new Error(`${bank.address}: ${most} is said to be the most, and is refused: ${edge.error.message}`);
}

export const AIMS: readonly Aim[] = [
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
  {
    name: 'the most that may be borrowed',
    weight: 5,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, isDebt);
      const collateral = drawCollateral(scene, [bank]);
      const wallet = await drawWallet(scene, bank);
      await makeAccount(world.ledger, wallet.address, collateral);
      const tooMuch = baseWorth(world.ledger, bank, total(collateral) * dice.between(3, 50));
      await tryEdge(scene, { wallet, bank }, (amount) => askAt('borrow', wallet.address, bank, amount), tooMuch);
    },
  },
  {
    name: 'the most that may be withdrawn',
    weight: 5,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, isCollateral);
      const wallet = await drawWallet(scene, bank);
      const usd = dice.between(100, 500);
      const held: WantedBalance = { bank, side: 'asset', usd };
      const debts = dice.chance(70) ? [drawDebt(scene, [held], 0.3)] : [];
      await makeAccount(world.ledger, wallet.address, [held, ...debts]);
      const tooMuch = baseWorth(world.ledger, bank, usd * (dice.chance(50) ? 0.9 : 20));
      await tryEdge(scene, { wallet, bank }, (amount) => askAt('withdraw', wallet.address, bank, amount), tooMuch);
    },
  },
  {
    name: 'the most that may be deposited',
    weight: 4,
    async play(scene) {
      const { world } = scene;
      const bank = drawBank(scene, (one) => isOpen(one) && one.venue !== 'drift' && one.assetTag !== ASSET_TAG.staked);
      const wallet = await drawWallet(scene, bank, 50_000);
      if (bank.mint === WRAPPED_SOL_MINT) await fund(world.ledger, wallet, 3_000n * SOL);
      const used = (bank.shares.totalAssetShares * bank.shares.assetShareValue) >> 96n;
      const room = baseWorth(world.ledger, bank, 200);
      const restore = editTerms(world.ledger, bank.address, (config) => ({ ...config, depositLimit: used + room }));
      try {
        const tooMuch = baseWorth(world.ledger, bank, 30_000);
        await tryEdge(scene, { wallet, bank }, (amount) => askAt('deposit', wallet.address, bank, amount), tooMuch);
      } finally {
        restore();
      }
    },
  },
  {
    name: 'more than is owed',
    weight: 4,
    async play(scene) {
      const { world } = scene;
      const collateral = drawCollateral(scene);
      const debt = drawDebt(scene, collateral);
      const wallet = await drawWallet(scene, debt.bank, debt.usd * 5);
      await makeAccount(world.ledger, wallet.address, [...collateral, debt]);
      const { bank } = debt;
      const tooMuch = baseWorth(world.ledger, bank, debt.usd * 2);
      await tryEdge(scene, { wallet, bank }, (amount) => askAt('repay', wallet.address, bank, amount), tooMuch);
    },
  },
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
