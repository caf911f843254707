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
  mintAddress,
} from '#testing/made-market.ts';
import { readMadePair } from '#testing/made-pair.ts';
import { protectedAccountsOf } from './protected-accounts.ts';

describe('protectedAccountsOf', () => {
  it('guards the account, its banks and what stands behind them, and not the tokens that are swapped', async () => {
    const market = createMadeMarket();
    setKaminoBank(market, 0);
    for (const nth of [1, 2]) market.setBank(nth);
    market.setAccount([deposit(2, 5n), debt(1, 7n)]);
    const state = await readMadePair(market, 0, 1);
    const guarded = protectedAccountsOf(state);
    const vault = state.debt.live.bank.liquidityVault;
    for (const each of [ACCOUNT, GROUP, vault, bankAddress(2), reserveAddress(0), ...[0, 1, 2].map(feedAddress)]) {
      expect(guarded).toContain(each);
    }
    for (const each of [state.collateral.tokens.address, state.debt.tokens.address, mintAddress(0), NO_KEY]) {
      expect(guarded).not.toContain(each);
    }
  });
});
