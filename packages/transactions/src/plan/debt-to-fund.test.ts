import { repayAll } from '@lending/domain';
import { bankLayout } from '@lending/programs';
import { toBankLedger } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { bankAddress, createMadeMarket, debt, deposit, NOW } from '#testing/made-market.ts';
import { readMade } from '#testing/read-made.ts';
import { debtToFund } from './debt-to-fund.ts';

/** A hundred per cent a year whatever the utilisation: a tenth of the scale. */
const RATE = 429_496_729;
const NONE = { util: 0, rate: 0 };
const STEEP = { curveType: 1, zeroUtilRate: RATE, hundredUtilRate: RATE, points: [NONE, NONE, NONE, NONE, NONE] };

async function stateOwing(amount: bigint) {
  const market = createMadeMarket();
  market.setBank(1);
  market.setBank(2, { config: { interestRateConfig: { ...flatCurve(market, 2), ...STEEP } } });
  market.setAccount([deposit(1, 10n ** 12n), debt(2, amount)]);
  return readMade(market, 'repay', 2);
}

function flatCurve(market: ReturnType<typeof createMadeMarket>, nth: number) {
  market.setBank(nth);
  const data = market.accounts.get(bankAddress(nth))?.data ?? new Uint8Array();
  return bankLayout.decode(data).config.interestRateConfig;
}

/** What the program charges for everything at a moment. */
function chargedAt(state: Awaited<ReturnType<typeof stateOwing>>, unixTimestamp: bigint): bigint {
  const bank = state.target?.bank;
  const balance = state.account.state?.balances.find((each) => each.bank === bank?.address);
  if (bank === undefined || balance === undefined) throw new TypeError('There is no debt');
  const repaid = repayAll(toBankLedger(bank, { programFee: null }, unixTimestamp), balance, 0n);
  return repaid.kind === 'done' ? repaid.amountBase : 0n;
}

describe('what is set aside for a whole debt', () => {
  it('covers it for five minutes, and is one more', async () => {
    const read = await stateOwing(300_000_000_000n);
    const funded = debtToFund(read);
    for (const seconds of [0n, 1n, 120n, 300n]) expect(chargedAt(read, NOW + seconds)).toBeLessThan(funded);
    expect(funded).toBe(chargedAt(read, NOW + 300n) + 1n);
    // Ten thousandths of a year’s interest: some three millions.
    expect(funded - 300_000_000_000n).toBeGreaterThan(2_000_000n);
  });

  it('is nothing where nothing is owed', async () => {
    const market = createMadeMarket();
    market.setBank(1);
    market.setAccount([deposit(1, 5n)]);
    expect(debtToFund(await readMade(market, 'repay', 1))).toBe(0n);
  });
});
