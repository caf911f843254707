import {
  debtToFund,
  type LendingAction,
  type SizedClose,
  type SizedLeverage,
  type SizedLoop,
} from '@lending/transactions';
import { expect } from 'vitest';
import { isSameError } from '../bridges/error-names.ts';
import type { RealProgram } from '../elf.ts';
import { type BankName, bankNamed } from '../market.ts';
import { units } from '../world.ts';
import { readState } from './build.ts';
import type { BuilderName } from './builder-world.ts';
import { balancesOf, type Holding, tokensOf } from './holdings.ts';
import { differencesBetween, type LeverageSide, type LeverageTerms, MODEL, openLeverageSide } from './leverage-side.ts';
import { type CloseTerms, type LoopTerms, sizeClose, sizeLoop } from './leverage-terms.ts';

/** Who loops. */
export const NAME: BuilderName = 'borrower';

/** What is lent, in whole tokens: nobody here wants more. */
const LENT: readonly (readonly [BankName, string])[] = [
  ['usdc', '50000'],
  ['sol', '5000'],
  ['bonk', '9000000'],
  ['jto', '5000'],
  ['wide', '10'],
  ['isolated', '5000'],
  ['tight', '2000'],
];

/** An action on one bank, its amount in whole tokens. */
export type TokenAction = Omit<LendingAction, 'bank' | 'amount'> & { readonly bank: BankName; readonly amount: string };

/** The real program and the model, each on a chain of its own: both do everything, and must come to the same results, errors and bytes. */
export class LeverageTwins {
  readonly #real: LeverageSide;
  readonly #model: LeverageSide;

  private constructor(real: LeverageSide, model: LeverageSide) {
    this.#real = real;
    this.#model = model;
  }

  static async open(program: RealProgram): Promise<LeverageTwins> {
    const twins = new LeverageTwins(...(await Promise.all([openLeverageSide(program), openLeverageSide(MODEL)])));
    for (const [bank, amount] of LENT) await twins.act({ kind: 'deposit', bank, amount }, 'lender');
    return twins;
  }

  async close(): Promise<void> {
    await Promise.all(this.#sides.map((side) => side.close()));
  }

  get #sides(): readonly LeverageSide[] {
    return [this.#real, this.#model];
  }

  async act({ kind, bank, amount }: TokenAction, name: BuilderName = NAME): Promise<void> {
    const base = amount === 'all' ? 'all' : units(bank, amount);
    const action = { kind, bank: bankNamed(bank).address, amount: base } as const;
    expect(await this.#both((side) => side.act(name, action))).toBe(null);
  }

  /** Our checks say beforehand whether it lands. @returns the error's name of today; null where it landed. */
  async leverage(sized: SizedLeverage, terms: LeverageTerms = {}): Promise<string | null> {
    const foreseen: (string | null)[] = [];
    const error = await this.#both(async (side) => {
      const result = await side.leverage(NAME, sized, terms);
      foreseen.push(result.foreseen);
      return result;
    });
    expect(
      foreseen.map((each) => each === null),
      `${error}, and our checks say ${foreseen}`,
    ).toEqual([error === null, error === null]);
    return error;
  }

  /** The same for what no check can know: a swap that does not keep its promise, a message that was changed. */
  unforeseen(sized: SizedLeverage, terms: LeverageTerms = {}): Promise<string | null> {
    return this.#both((side) => side.leverage(NAME, sized, terms));
  }

  /** What a later version forbids: the chains have parted afterwards. @returns what each says. */
  async leverageApart(sized: SizedLeverage): Promise<{ readonly old: string | null; readonly today: string | null }> {
    const [old, today] = await Promise.all(this.#sides.map((side) => side.attempt(NAME, sized)));
    return { old: old ?? null, today: today ?? null };
  }

  async loops(terms: LoopTerms, how: LeverageTerms = {}): Promise<SizedLoop> {
    const sized = await this.sizeLoop(terms);
    expect(await this.leverage(sized, how)).toBe(null);
    return sized;
  }

  async closes(terms: CloseTerms, how: LeverageTerms = {}): Promise<SizedClose> {
    const sized = await this.sizeClose(terms);
    expect(await this.leverage(sized, how)).toBe(null);
    return sized;
  }

  /** Wallets and pools have the same addresses on both. */
  sizeLoop(terms: LoopTerms): Promise<SizedLoop> {
    return sizeLoop(this.#real.world, NAME, terms);
  }

  sizeClose(terms: CloseTerms): Promise<SizedClose> {
    return sizeClose(this.#real.world, NAME, terms);
  }

  /** The largest amount with which it would pass, found by trying on each program. @param passing passes; eight times as much does not. */
  async mostThatPasses(passing: bigint, sizedWith: (amount: bigint) => Promise<SizedLeverage>): Promise<bigint> {
    const most = async (side: LeverageSide) => {
      let [passes, fails] = [passing, passing * 8n];
      while (fails - passes > 1n) {
        const middle = (passes + fails) / 2n;
        if ((await side.attempt(NAME, await sizedWith(middle))) === null) passes = middle;
        else fails = middle;
      }
      return passes;
    };
    const found = await most(this.#real);
    expect(await most(this.#model)).toBe(found);
    return found;
  }

  /** Of health at the initial requirement less is left than two more units of a debt would take. */
  async expectEdgeOfHealth(debt: BankName): Promise<void> {
    const owed = (await this.balance(debt)).debt;
    for (const side of this.#sides) {
      const { initial } = await side.healthOf(NAME);
      if (initial === null) throw new TypeError('The account has no health');
      const left = initial.assets - initial.liabilities;
      expect(left).toBeGreaterThanOrEqual(0n);
      expect(left * owed).toBeLessThan(2n * initial.liabilities);
    }
  }

  passTime(seconds: bigint, stale: readonly BankName[] = []): void {
    for (const { world } of this.#sides) world.passTime(seconds, stale);
  }

  /** What the wallet has of a bank's mint. */
  async setTokens(bank: BankName, amount: bigint): Promise<void> {
    for (const { world } of this.#sides) await world.setTokens(NAME, bank, amount);
  }

  balances(): Promise<readonly Holding[]> {
    return balancesOf(this.#real.world, NAME);
  }

  async balance(bank: BankName): Promise<Omit<Holding, 'bank'>> {
    const { asset = 0n, debt = 0n } = (await this.balances()).find((each) => each.bank === bank) ?? {};
    return { asset, debt };
  }

  /** Tokens of a bank's mint in the wallet. */
  tokens(bank: BankName): Promise<bigint> {
    return tokensOf(this.#real.world, NAME, bank);
  }

  lamports(): bigint {
    const { world } = this.#real;
    return world.account(world.signerOf(NAME).address)?.lamports ?? 0n;
  }

  /** What covers a debt in the next minutes. */
  async debtToCover(bank: BankName): Promise<bigint> {
    const repay = { kind: 'repay', bank: bankNamed(bank).address, amount: 'all' } as const;
    return debtToFund(await readState(this.#real.world, NAME, repay));
  }

  async #both(run: (side: LeverageSide) => ReturnType<LeverageSide['act']>): Promise<string | null> {
    const [left, right] = [await run(this.#real), await run(this.#model)];
    const names = [left.refusal?.name ?? null, right.refusal?.name ?? null] as const;
    expect(isSameError(...names), `${names}\n${left.logs.join('\n')}\n${right.logs.join('\n')}`).toBe(true);
    expect(left.refusal?.index).toBe(right.refusal?.index);
    expect([left.differences, right.differences]).toEqual([[], []]);
    expect(differencesBetween(this.#real, this.#model, left.watch)).toEqual([]);
    return names[1];
  }
}
