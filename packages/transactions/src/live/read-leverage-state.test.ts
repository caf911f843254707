import { I80F48_ONE } from '@lending/domain';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import {
  ACCOUNT,
  bankAddress,
  createMadeMarket,
  debt,
  deposit,
  type MadeMarket,
  mintAddress,
} from '#testing/made-market.ts';
import { question } from '#testing/read-made.ts';
import { createBankCache } from './bank-cache.ts';
import { readActionState } from './read-action-state.ts';
import { type LeverageQuestion, readLeverageState } from './read-leverage-state.ts';
import { sidesOf } from './sides-of.ts';

function marketOf(banks: number): MadeMarket {
  const market = createMadeMarket();
  for (let nth = 0; nth < banks; nth += 1) market.setBank(nth);
  return market;
}

const pair = (fields: Partial<LeverageQuestion> = {}): LeverageQuestion => ({
  ...question(),
  opens: 'never',
  ...fields,
  banks: [bankAddress(0), bankAddress(1)],
});

describe('readLeverageState', () => {
  it('reads both banks and both token accounts in one wave when the hints are right', async () => {
    const market = marketOf(3);
    market.setAccount([deposit(0, 5n), debt(1, 7n), deposit(2, 9n)]);
    await market.setTokens(mintAddress(0), 42n);
    const cache = createBankCache();
    await cache.warm(market.chain, MARGINFI_PROGRAM, [0, 1, 2].map(bankAddress));
    market.asked.length = 0;
    const heldBanks = [0, 1, 2].map(bankAddress);
    const state = await readLeverageState(market.chain, cache, pair({ knownAccounts: [ACCOUNT], heldBanks }));
    expect(state.waves).toBe(1);
    expect(new Set(market.asked[0]).size).toBe(market.asked[0]?.length);
    expect(state.collateral.live.bank.address).toBe(bankAddress(0));
    expect(state.collateral.tokens.amountBase).toBe(42n);
    expect(state.debt.live.bank.address).toBe(bankAddress(1));
    expect(state.debt.live.oracle.kind).toBe('loaded');
    expect(state.debt.tokens.amountBase).toBeNull();
    expect([...state.held.keys()]).toEqual(heldBanks);
  });

  it('has one token account for two banks of one mint', async () => {
    const market = marketOf(2);
    market.setBank(1, {}, { mint: mintAddress(0) });
    market.setAccount([]);
    await market.setTokens(mintAddress(0), 42n);
    const { collateral, debt: owed } = await readLeverageState(
      market.chain,
      createBankCache(),
      pair({ account: ACCOUNT }),
    );
    expect(owed.tokens).toEqual(collateral.tokens);
  });

  it('opens an account of its own where that is asked, and where there is none', async () => {
    const market = marketOf(2);
    const ask = (opens: LeverageQuestion['opens'], knownAccounts = [ACCOUNT]) =>
      readLeverageState(market.chain, createBankCache(), pair({ opens, knownAccounts }));
    expect((await ask('where_missing')).account).toMatchObject({ state: null, newIndex: 0 });
    await expect(ask('never')).rejects.toMatchObject({ code: 'READ__ACCOUNT_NOT_FOUND' });
    market.setAccount([]);
    expect((await ask('where_missing')).account).toMatchObject({ address: ACCOUNT, newIndex: null });
    expect((await ask('always')).account).toMatchObject({ state: null, newIndex: 0 });
  });
});

describe('sidesOf', () => {
  it('tells what is owed from what is there, and from dust', async () => {
    const market = marketOf(4);
    const dust = I80F48_ONE - 1n;
    market.setAccount([
      deposit(0, 5n, { liabilityShares: dust }),
      debt(1, 7n),
      deposit(2, 0n, { assetShares: dust }),
      debt(3, 1n),
    ]);
    const asked = question({ account: ACCOUNT, opens: 'never' });
    const state = await readActionState(market.chain, createBankCache(), asked);
    expect(state.target).toBeNull();
    expect([...state.held.keys()]).toHaveLength(4);
    expect(sidesOf(state)).toEqual({ collateral: [bankAddress(0)], debt: [bankAddress(1), bankAddress(3)] });
  });
});
