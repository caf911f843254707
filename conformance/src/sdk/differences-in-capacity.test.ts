import { findLiquidationPoints, maxBorrow, maxWithdraw } from '@lending/domain';
import { PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { capacityState } from './capacity-state.ts';
import { balancesOf } from './judged-market.ts';
import type { PythPrice } from './made-accounts.ts';
import { fixed, type OneAccount, oneAccount, plainBank, shown } from './plain-market.ts';

/** 1 USD, with an interval of 2.12 × 0.01 USD. */
const UNSURE: PythPrice = {
  price: 100_000_000n,
  conf: 1_000_000n,
  emaPrice: 100_000_000n,
  emaConf: 1_000_000n,
  exponent: -8,
};

function bothBorrow({ account, market, theirs, bankAt }: OneAccount, index: number) {
  const target = bankAt(index);
  const key = new PublicKey(target.bank.address);
  const { maxBase, limitedBy } = maxBorrow(capacityState(account, market, target));
  return {
    ours: Number(maxBase),
    limitedBy,
    sdk: theirs.account.computeMaxBorrowForBank(theirs.banks, theirs.prices, key).toNumber(),
  };
}

function bothWithdraw({ account, market, theirs, bankAt }: OneAccount, index: number) {
  const target = bankAt(index);
  const key = new PublicKey(target.bank.address);
  const { maxBase, limitedBy } = maxWithdraw(capacityState(account, market, target));
  return {
    ours: Number(maxBase),
    limitedBy,
    sdk: theirs.account.computeMaxWithdrawForBank(theirs.banks, theirs.prices, key).toNumber(),
  };
}

describe('capacities the official SDK is known to judge otherwise', () => {
  beforeAll(() => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  it('agrees on plain banks, so that each case below differs by one thing', async () => {
    const plain = await oneAccount([plainBank('held'), plainBank('owed')], ['1500', '-300']);
    // 1500 USD of collateral, 900 of debt, 3 USD for a token owed, 1 for a token held.
    expect(bothBorrow(plain, 1)).toEqual({ ours: 200, limitedBy: 'health', sdk: 200 });
    expect(bothWithdraw(plain, 0)).toEqual({ ours: 600, limitedBy: 'health', sdk: 600 });
  });

  it('borrows nothing from a bank that holds a deposit, where the SDK withdraws that first', async () => {
    const one = await oneAccount([plainBank('held')], ['1500']);
    expect(bothBorrow(one, 0)).toEqual({ ours: 0, limitedBy: 'balance', sdk: 1500 });
  });

  it('stops below the borrow limit, of which the SDK knows nothing', async () => {
    const capped = plainBank('owed', { config: { borrowLimit: 250_100n } });
    const one = await oneAccount([plainBank('held'), capped], ['1500', '0']);
    expect(bothBorrow(one, 1)).toEqual({ ours: 99, limitedBy: 'borrow_cap', sdk: 500 });
  });

  it('stops at what the bank has not lent, of which the SDK knows nothing', async () => {
    const lent = plainBank('owed', { totalLiabilityShares: fixed('999900') });
    const one = await oneAccount([plainBank('held'), lent], ['1500', '0']);
    expect(bothBorrow(one, 1)).toEqual({ ours: 100, limitedBy: 'liquidity', sdk: 500 });
  });

  it('pays the origination fee out of health, where the SDK forgets it', async () => {
    const config = { interestRateConfig: { protocolOriginationFee: fixed('0.25') } };
    const one = await oneAccount([plainBank('held'), plainBank('owed', { config })], ['1500', '0']);
    expect(bothBorrow(one, 1)).toEqual({ ours: 400, limitedBy: 'health', sdk: 500 });
  });

  it('borrows nothing from a paused bank, where the SDK does not ask', async () => {
    const one = await oneAccount(
      [plainBank('held'), plainBank('owed', { config: { operationalState: 0 } })],
      ['1500', '0'],
    );
    expect(bothBorrow(one, 1)).toEqual({ ours: 0, limitedBy: 'state', sdk: 500 });
  });

  it('owes a share or nothing, where the SDK takes any fraction', async () => {
    const dear = plainBank('owed', { liabilityShareValue: fixed('4'), totalLiabilityShares: fixed('1000') });
    const one = await oneAccount([plainBank('held'), dear], ['9', '0']);
    expect(bothBorrow(one, 1)).toEqual({ ours: 0, limitedBy: 'health', sdk: 3 });
  });

  it('lets all of a deposit go that counts nothing initially, where the SDK holds on to its maintenance', async () => {
    const retired = plainBank('retired', { config: { assetWeightInit: 0n } });
    const one = await oneAccount([plainBank('held'), plainBank('owed'), retired], ['1500', '-300', '5000']);
    // The SDK: (1500 × 1.5 + 5000 × 1.5 − 300 × 2.5) ÷ 1.5.
    expect(bothWithdraw(one, 2)).toEqual({ ours: 5000, limitedBy: 'balance', sdk: 6000 });
  });

  it('stops before a rest below a share, where the SDK counts the rest', async () => {
    const dear = plainBank('held', { assetShareValue: fixed('4') });
    const one = await oneAccount([dear, plainBank('owed')], ['25', '-1']);
    // 100 units, of which 3 must stay; but less than 4 are less than a share and count nothing.
    expect(bothWithdraw(one, 0)).toEqual({ ours: 96, limitedBy: 'health', sdk: 97 });
  });

  it('counts the interval of a feed once in the liquidation price, where the SDK counts it twice', async () => {
    const one = await oneAccount([plainBank('held', {}, UNSURE), plainBank('owed')], ['1000', '-200']);
    const [point] = findLiquidationPoints(balancesOf(one.account, one.market));
    const key = new PublicKey(one.bankAt(0).bank.address);
    const theirs =
      one.theirs.account.computeLiquidationPriceForBank(one.theirs.banks, one.theirs.prices, key) ?? Number.NaN;
    // 200 tokens of 2 USD at 1.25, against 1000 tokens at 0.75.
    expect(shown(point?.price ?? 0n).toNumber()).toBeCloseTo(500 / 750 + 0.0212, 10);
    expect(theirs).toBeCloseTo(500 / 750 + 2 * 0.0212, 10);
  });
});
