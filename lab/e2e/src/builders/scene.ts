import { ASSET_TAG, maxLeverageHundredths } from '@lending/domain';
import type { Ledger } from '@lending/localnet';
import { type P0Bank, toRiskBank } from '@lending/venues';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll } from 'vitest';
import {
  type AccountTerms,
  asset,
  baseWorth,
  debt,
  fund,
  makeAccount,
  tokenKindOf,
  type WantedBalance,
} from './accounts.ts';
import { type ActionKind, type AskedBesides, askAt, askClose, askLoop } from './ask.ts';
import type { Attempt, Attempted } from './attempt.ts';
import { editTerms, setFeedAge } from './chain-edits.ts';
import { createDice, type Dice } from './dice.ts';
import { leverageOf, type Pair } from './pairs.ts';
import { type BuildersWorld, type BuildersWorldOptions, openBuildersWorld } from './world.ts';

export const SOL = 1_000_000_000n;
const MOST_HUNDREDTHS = 5_000;

export const isStaked = (bank: P0Bank) => bank.assetTag === ASSET_TAG.staked;
export const isOwnPool = (bank: P0Bank) => bank.venue === 'p0' && !isStaked(bank);
export const isOpen = (bank: P0Bank) => bank.operationalState === 'Operational';
/** Whatever can be deposited beside ordinary assets. */
export const isOrdinary = (bank: P0Bank) => isOpen(bank) && bank.venue !== 'drift' && !isStaked(bank);
/** Of that what counts for something. */
export const isCollateral = (bank: P0Bank) => isOrdinary(bank) && bank.weights.assetInit > 0n;
export const isDebt = (bank: P0Bank) =>
  isOwnPool(bank) && isOpen(bank) && bank.riskTier === 'Collateral' && (bank.borrowLimit ?? 1n) > 0n;

export function total(balances: readonly WantedBalance[]): number {
  return balances.reduce((sum, { usd }) => sum + usd, 0);
}

/** So many hundredths of an amount, at least one base unit. */
export function partOf(amount: bigint, percent: number): bigint {
  const part = (amount * BigInt(percent)) / 100n;
  return part > 0n ? part : 1n;
}

/** What an attempt has besides who makes it and what it is about. */
type How = Partial<Pick<Attempt, 'aim' | 'deps' | 'isOnSameState' | 'expects'>>;
type Amount = bigint | 'all';

/** A world, what is drawn of it, and the requests that its wallets make: each is made by `make`, which says what has to hold. */
export class Scene<TAttempted extends Attempted = Attempted> {
  readonly dice: Dice;
  readonly #world: () => BuildersWorld;
  readonly #make: (world: BuildersWorld, attempt: Attempt) => Promise<TAttempted>;

  constructor(
    world: () => BuildersWorld,
    dice: Dice,
    make: (world: BuildersWorld, attempt: Attempt) => Promise<TAttempted>,
  ) {
    this.#world = world;
    this.dice = dice;
    this.#make = make;
  }

  get world(): BuildersWorld {
    return this.#world();
  }

  get ledger(): Ledger {
    return this.world.ledger;
  }

  attempt(attempt: Attempt): Promise<TAttempted> {
    return this.#make(this.world, attempt);
  }

  act(
    wallet: KeyPairSigner,
    kind: ActionKind,
    bank: P0Bank,
    amount: Amount,
    rest: Parameters<typeof askAt>[4] = {},
    how: How = {},
  ): Promise<TAttempted> {
    return this.attempt({ ...how, wallet, bank, request: askAt(kind, wallet.address, bank, amount, rest) });
  }

  loop(
    wallet: KeyPairSigner,
    pair: Pair,
    principal: bigint,
    leverage: string,
    rest: AskedBesides = {},
    how: How = {},
  ): Promise<TAttempted> {
    return this.attempt({ ...how, wallet, pair, request: askLoop(wallet.address, pair, principal, leverage, rest) });
  }

  close(wallet: KeyPairSigner, pair: Pair, repay: Amount, rest: AskedBesides = {}, how: How = {}): Promise<TAttempted> {
    return this.attempt({ ...how, wallet, pair, request: askClose(wallet.address, pair, repay, rest) });
  }

  /** About so many dollars of a bank's token, base units. */
  worth(bank: P0Bank, usd: number): bigint {
    return baseWorth(this.ledger, bank, usd);
  }

  /** Puts a lending account on the chain that holds about these amounts. */
  account(wallet: KeyPairSigner, balances: readonly WantedBalance[], terms: AccountTerms = {}): Promise<Address> {
    return makeAccount(this.ledger, wallet.address, balances, terms);
  }

  fund(wallet: KeyPairSigner, lamports: bigint, tokens: Parameters<typeof fund>[3] = []): Promise<void> {
    return fund(this.ledger, wallet, lamports, tokens);
  }

  /** A new wallet with so much SOL, and so many dollars of banks' tokens. */
  async walletWith(lamports: bigint, ...tokens: readonly (readonly [P0Bank, number])[]): Promise<KeyPairSigner> {
    const wallet = await this.dice.wallet();
    const given = tokens.map(([bank, usd]) => [bank, this.worth(bank, usd)] as const);
    await this.fund(wallet, lamports, given);
    return wallet;
  }

  /** Venues and kinds of token that few banks have come up as often as the others. */
  bank(fits: (bank: P0Bank) => boolean): P0Bank {
    const fitting = this.world.banks.filter(fits);
    const axis = this.dice.pick<(bank: P0Bank) => string>([
      ({ venue }: P0Bank) => venue,
      (bank: P0Bank) => tokenKindOf(this.ledger, bank),
      ({ mint }: P0Bank) => mint,
    ]);
    return this.dice.pick(this.dice.pick([...Map.groupBy(fitting, axis).values()]));
  }

  /** Some hundred to some thousand dollars, in one to four banks. */
  collateral(...except: readonly P0Bank[]): readonly WantedBalance[] {
    const banks = this.world.banks.filter((bank) => isCollateral(bank) && !except.includes(bank));
    return this.dice.some(banks, this.dice.between(1, 4)).map((bank) => asset(bank, this.dice.between(100, 3_000)));
  }

  /** A debt that is no danger. */
  debt(collateral: readonly WantedBalance[], share = 0.2): WantedBalance {
    const held = collateral.map(({ bank }) => bank);
    const bank = this.bank((one) => isDebt(one) && !held.includes(one));
    return debt(bank, Math.max(1, total(collateral) * share));
  }

  /** A wallet with enough of everything, its token account there or not. */
  async wallet(bank: P0Bank | null, tokensUsd = 0): Promise<KeyPairSigner> {
    const { dice } = this;
    const wallet = await dice.wallet();
    const tokens = bank === null || tokensUsd === 0 ? null : this.worth(bank, tokensUsd);
    const given = bank === null || (tokens === null && dice.chance(50)) ? [] : [[bank, tokens ?? 0n] as const];
    await this.fund(wallet, BigInt(dice.between(5, 60)) * SOL, given);
    return wallet;
  }

  version(): 0 | 1 {
    return this.dice.chance(25) ? 1 : 0;
  }

  /** Two banks that go together, mostly of different tokens. */
  pair(): Pair {
    const deposit = this.bank(isCollateral);
    return { deposit, borrow: this.bank((bank) => isDebt(bank) && bank !== deposit) };
  }

  /** Anywhere between nothing borrowed and four fifths of what the pair allows, sometimes with all the decimals there may be. */
  leverage(pair: Pair): string {
    const { dice } = this;
    const text = leverageOf(dice.between(101, Math.max(102, Math.floor((mostOf(pair) * 4) / 5))));
    return dice.chance(30) ? `${text}${String(dice.below(10_000)).padStart(4, '0')}` : text;
  }

  /** A wallet with SOL, and so many dollars of the deposit bank's token. */
  async looper(
    { deposit }: Pair,
    usd: number,
  ): Promise<{ readonly wallet: KeyPairSigner; readonly principal: bigint }> {
    const { dice } = this;
    const wallet = await dice.wallet();
    const principal = partOf(this.worth(deposit, usd), dice.between(50, 98));
    await this.fund(wallet, BigInt(dice.between(5, 60)) * SOL, [[deposit, this.worth(deposit, usd)]]);
    // A principal in SOL comes out of the wallet itself.
    if (deposit.decimals === 9 && dice.chance(50)) await this.fund(wallet, principal + 10n * SOL);
    return { wallet, principal };
  }

  /** Half of the time a token account of the debt that is there already, empty or not. */
  async debtAccount(wallet: KeyPairSigner, bank: P0Bank): Promise<void> {
    if (!this.dice.chance(50)) return;
    const lamports = this.ledger.account(wallet.address)?.lamports ?? 0n;
    const held = this.dice.chance(50) ? 0n : this.worth(bank, this.dice.between(1, 500));
    await this.fund(wallet, lamports, [[bank, held]]);
  }

  /** Sometimes without lookup tables of the market, so that not everything fits one transaction. */
  tables(percent = 30): How {
    return this.dice.chance(percent) ? { deps: { lookupTables: [] } } : {};
  }

  /** What most loops and closes leave out. */
  besides(): AskedBesides {
    const slippage = this.dice.chance(30) ? this.dice.pick([20, 50, 100, 300]) : null;
    const policy = { minHealthRatioAfter: null, maxSlippageBps: slippage, maxPriceImpactPct: null };
    return { version: this.version(), policy };
  }

  feedOf({ address, oracle }: P0Bank): Address {
    const feed = oracle.keys.find((key) => this.world.feeds.includes(key));
    if (feed === undefined) throw new TypeError(`The bank ${address} has no feed`);
    return feed;
  }

  /** Makes prices so many seconds old while `task` runs; half of the time no oracle signs, or none that can be reached. */
  async withOldPrices(feeds: readonly Address[], seconds: bigint, task: () => Promise<unknown>): Promise<void> {
    const { localnet } = this.world;
    for (const feed of feeds) setFeedAge(this.ledger, feed, seconds);
    const kind = this.dice.pick(['crossbar_down', 'gateways_down', null, null] as const);
    localnet.setSwitchboardFault(kind === null ? null : { kind });
    try {
      await task();
    } finally {
      localnet.setSwitchboardFault(null);
      for (const feed of feeds) setFeedAge(this.ledger, feed, 0n);
    }
  }

  /** Changes a bank's terms while `task` runs. */
  async withTerms(bank: P0Bank, change: Parameters<typeof editTerms>[2], task: () => Promise<unknown>): Promise<void> {
    const restore = editTerms(this.ledger, bank.address, change);
    await task().finally(restore);
  }
}

/** What the weights of a pair allow, hundredths. */
export function mostOf({ deposit, borrow }: Pair): number {
  const [collateral, owed] = [toRiskBank(deposit, null, null), toRiskBank(borrow, null, null)];
  const most = maxLeverageHundredths({ collateral, debt: owed, originationFee: borrow.originationFee });
  return most === null ? MOST_HUNDREDTHS : Number(most);
}

/** Opens a world for the tests of a file or a `describe`, and closes it. @param make what becomes of requests; see `Scene`. */
export function useScene<TAttempted extends Attempted>(
  name: string,
  make: (world: BuildersWorld, attempt: Attempt) => Promise<TAttempted>,
  options?: BuildersWorldOptions | (() => Promise<BuildersWorld>),
): Scene<TAttempted> {
  let world: BuildersWorld | undefined;
  beforeAll(async () => {
    world = typeof options === 'function' ? await options() : await openBuildersWorld(options);
  });
  afterAll(async () => {
    await world?.stop();
  });
  const opened = () => {
    if (world === undefined) throw new Error('The world exists only while hooks and tests run');
    return world;
  };
  return new Scene(opened, createDice(name), make);
}
