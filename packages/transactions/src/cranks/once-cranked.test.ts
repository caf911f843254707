import { expect, it } from 'vitest';
import { tokenPriceOf } from '#sizing/fair-trade.ts';
import { bankAddress, createMadeMarket, debt, deposit, feedAddress, NOW } from '#testing/made-market.ts';
import { readMadePair } from '#testing/made-pair.ts';
import { onceCranked } from './once-cranked.ts';

const SWITCHBOARD = { config: { oracleSetup: 4 } };
const DOLLAR = 10n ** 18n;

async function readStale() {
  const market = createMadeMarket();
  market.setBank(1, SWITCHBOARD, { priceUsdE8: 200_000_000n });
  market.setBank(2);
  market.setSwitchboard(1, 200_000_000n, NOW - 600n);
  market.setAccount([deposit(1, 5n), debt(2, 5n)]);
  return readMadePair(market, 1, 2);
}

it('prices both banks, and what is held, as the oracles signed it', async () => {
  const state = await readStale();
  const after = onceCranked(state, [{ feeds: [feedAddress(1)], values: [(21n * DOLLAR) / 10n] }]);
  expect(tokenPriceOf(state.collateral.live, state.accounts)).toBe(2n * DOLLAR);
  expect(tokenPriceOf(after.collateral.live, after.accounts)).toBe((21n * DOLLAR) / 10n);
  for (const live of [after.collateral.live, after.held.get(bankAddress(1))]) {
    expect(live?.oracle).toMatchObject({ kind: 'loaded', staleError: null });
  }
  expect(after.debt.live.oracle).toEqual(state.debt.live.oracle);
});

it('leaves what is not cranked as old as it is', async () => {
  const state = await readStale();
  expect(onceCranked(state, [])).toBe(state);
  expect(state.collateral.live.oracle).toMatchObject({ staleError: 'SwitchboardStalePrice' });
});
