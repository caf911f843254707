import { NO_KEY } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { reserveAddress, setKaminoBank } from '#testing/made-kamino.ts';
import {
  ACCOUNT,
  bankAddress,
  createMadeMarket,
  debt,
  deposit,
  feedAddress,
  GROUP,
  madeAddress,
  mintAddress,
} from '#testing/made-market.ts';
import { readMadePair } from '#testing/made-pair.ts';
import { protectedAccountsOf } from './protected-accounts.ts';

/** What the made reserve names as its market. */
const LENDING_MARKET = madeAddress(5_999);

describe('protectedAccountsOf', () => {
  it('guards the account, its banks and what stands behind them, and not the tokens that are swapped', async () => {
    const market = createMadeMarket();
    setKaminoBank(market, 0);
    for (const nth of [1, 2]) market.setBank(nth);
    market.setAccount([deposit(2, 5n), debt(1, 7n)]);
    const state = await readMadePair(market, 0, 1);
    const guarded = protectedAccountsOf(state);
    const vault = state.debt.live.bank.liquidityVault;
    for (const each of [
      ACCOUNT,
      GROUP,
      vault,
      bankAddress(2),
      reserveAddress(0),
      LENDING_MARKET,
      ...[0, 1, 2].map(feedAddress),
    ]) {
      expect(guarded).toContain(each);
    }
    for (const each of [state.collateral.tokens.address, state.debt.tokens.address, mintAddress(0), NO_KEY]) {
      expect(guarded).not.toContain(each);
    }
  });

  it('lets a route mint what is staked, though an oracle reads the mint', async () => {
    const market = createMadeMarket();
    const keys = [feedAddress(0), mintAddress(0), madeAddress(70), NO_KEY, NO_KEY];
    market.setBank(0, { config: { oracleSetup: 5, oracleKeys: keys } });
    market.setBank(1);
    market.setAccount([]);
    const guarded = protectedAccountsOf(await readMadePair(market, 0, 1));
    expect(guarded).toContain(madeAddress(70));
    expect(guarded).not.toContain(mintAddress(0));
  });
});
