import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadFromEnvironment } from '../elf.ts';
import { units } from '../world.ts';
import type { Pair } from './leverage-terms.ts';
import { LeverageTwins } from './leverage-twins.ts';

const { program, isMissing } = await loadFromEnvironment();

const DAY = 86_400n;

interface Row {
  readonly pair: Pair;
  readonly principal: string;
  /** Hundredths. */
  readonly leverage: bigint;
  /** Hundredths: the pair's maximum, or less where the price is known to five per cent only. */
  readonly most: bigint;
  readonly why: string;
}

const ROWS: readonly Row[] = [
  { pair: ['usdc', 'sol'], principal: '1000', leverage: 150n, most: 317n, why: 'a debt of wrapped SOL' },
  { pair: ['sol', 'usdc'], principal: '10', leverage: 200n, most: 357n, why: 'a principal of SOL that is wrapped' },
  { pair: ['jto', 'usdc'], principal: '1000', leverage: 150n, most: 205n, why: 'collateral priced by Switchboard' },
  { pair: ['usdc', 'jto'], principal: '500', leverage: 150n, most: 210n, why: 'a debt priced by Switchboard' },
  { pair: ['usdc', 'bonk'], principal: '20', leverage: 150n, most: 245n, why: 'a fee on the loan' },
  { pair: ['wide', 'usdc'], principal: '0.01', leverage: 175n, most: 270n, why: 'eight decimals' },
  { pair: ['usdc', 'isolated'], principal: '1000', leverage: 125n, most: 180n, why: 'a debt of the isolated tier' },
  { pair: ['usdc', 'tight'], principal: '200', leverage: 200n, most: 444n, why: 'two banks of one mint, no swap' },
];

describe.skipIf(isMissing)('loops and closes, on the real program and on the model (needs MARGINFI_ELF)', () => {
  let twins: LeverageTwins;

  beforeEach(async () => {
    twins = await LeverageTwins.open(program);
  });
  afterEach(() => twins.close());

  describe.each(ROWS)('$pair.0 and $pair.1: $why', ({ pair, principal: text, leverage, most }) => {
    const [deposit, borrow] = pair;
    const principal = units(deposit, text);

    it('loops into an account of its own, adds to it, closes a part to the unit, and all', async () => {
      const before = await twins.tokens(deposit);
      const first = await twins.loops({ pair, principal, leverage }, { opens: true });
      expect(await twins.balance(deposit)).toEqual({ asset: first.supplied, debt: 0n });
      const { minOutBase = 0n, outBase = 0n } = first.swap?.quote ?? {};
      if (deposit !== 'sol') expect(await twins.tokens(deposit)).toBe(before - principal + outBase - minOutBase);
      twins.passTime(DAY);
      const second = await twins.loops({ pair, principal: principal / 2n, leverage: leverage + 10n });
      const both = first.supplied + second.supplied;
      // With a day of interest at the most.
      const { asset } = await twins.balance(deposit);
      expect(asset).toBeGreaterThanOrEqual(both - 1n);
      expect(asset).toBeLessThan(both + both / 100n);

      const { debt } = await twins.balance(borrow);
      await twins.closes({ pair, fetched: debt / 3n, repay: debt / 3n });
      expect(await twins.balance(borrow)).toEqual({ asset: 0n, debt: debt - debt / 3n });
      twins.passTime(DAY);
      await twins.closes({ pair, fetched: await twins.debtToCover(borrow) });
      expect(await twins.balance(borrow)).toEqual({ asset: 0n, debt: 0n });
      await twins.act({ kind: 'withdraw', bank: deposit, amount: 'all' });
      expect(await twins.balances()).toEqual([]);
    });

    it('is let go up to the health that we compute, and not a unit further', async () => {
      const terms = { pair, principal, leverage: most };
      await twins.act({ kind: 'deposit', bank: deposit, amount: text });
      const { borrow: needed } = await twins.sizeLoop(terms);
      const sizedWith = (loan: bigint) => twins.sizeLoop({ ...terms, borrow: loan });
      const passes = await twins.mostThatPasses(needed, sizedWith);
      expect(await twins.leverage(await sizedWith(passes + 1n))).toBe('RiskEngineInitRejected');
      await twins.loops({ ...terms, borrow: passes });
      await twins.expectEdgeOfHealth(borrow);
    });
  });
});
