import { getAddressBytes, lendingAccountLiquidateEvent, MARGINFI_MAIN_GROUP } from '@lending/programs';
import { oracleAccountsOf } from '@lending/venues';
import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import * as act from '#market/lending-instructions.ts';
import { amountOf } from '../../token/token-state.ts';
import { forkBorrower, openBorrower } from '../testing/borrower.ts';
import { errorOf, eventsOf, expectDone } from '../testing/expect-outcome.ts';
import type { MarketChain, Party } from '../testing/market-chain.ts';

const opened = await openBorrower();
const lender = await opened.chain.addParty({ SOL: 500_000_000_000n, USDT: 1_000_000n });
expectDone(opened.chain.send(lender.wallet, act.initializeAccount(lender)));
expectDone(opened.chain.send(lender.wallet, act.deposit(lender, opened.chain.bank('SOL'), 200_000_000_000n)));

let chain: MarketChain;
let party: Party;
beforeEach(() => {
  ({ chain, party } = forkBorrower(opened));
  chain.setPrice('SOL', 6_500_000n);
});

const USDC = 1_000_000n;
const bank = (name: string) => chain.bank(name);

function liquidate(assetAmount: bigint, change: { asset?: string; liability?: string; liquidator?: Party } = {}) {
  const banks = { asset: bank(change.asset ?? 'USDC'), liability: bank(change.liability ?? 'SOL') };
  const liquidator = change.liquidator ?? lender;
  return chain.send(
    liquidator.wallet,
    act.liquidate(liquidator, party.account, banks, assetAmount, {
      oracles: [banks.asset, banks.liability].flatMap((each) => [...oracleAccountsOf(each)]),
      liquidator: chain.healthAccounts(liquidator.account, { with: [banks.asset.address, banks.liability.address] }),
      liquidatee: chain.healthAccounts(party.account),
    }),
  );
}

const amounts = (account: Address) =>
  Object.fromEntries(
    chain
      .marginfiAccount(account)
      .lendingAccount.balances.filter(({ active }) => active !== 0)
      .map(({ bankPk, assetShares, liabilityShares }) => {
        const { shares, mint } = chain.bankAt(bankPk);
        const name = mint === bank('USDC').mint ? 'USDC' : 'SOL';
        return [
          name,
          ((assetShares * shares.assetShareValue) >> 96n) - ((liabilityShares * shares.liabilityShareValue) >> 96n),
        ];
      }),
  );

describe('lending_account_liquidate', () => {
  it('hands collateral over for debt, five per cent apart, and pays the insurance', () => {
    const insurance = () => amountOf(chain.data(bank('SOL').insuranceVault));
    const before = { party: amounts(party.account), lender: amounts(lender.account), insurance: insurance() };
    const result = expectDone(liquidate(1_000n * USDC));
    const after = { party: amounts(party.account), lender: amounts(lender.account) };
    expect(Number((before.party.USDC as bigint) - (after.party.USDC as bigint))).toBeCloseTo(1_000e6, -1);
    expect((after.lender.USDC as bigint) - (before.lender.USDC ?? 0n)).toBeGreaterThanOrEqual(1_000n * USDC - 1n);
    const paid = (before.lender.SOL as bigint) - (after.lender.SOL as bigint);
    const relieved = (after.party.SOL as bigint) - (before.party.SOL as bigint);
    expect(Number(relieved) / Number(paid)).toBeCloseTo(0.95 / 0.975, 6);
    expect(Number(insurance() - before.insurance)).toBeCloseTo(Number(paid - relieved), -1);
    const [event] = eventsOf(result, lendingAccountLiquidateEvent);
    expect(event).toMatchObject({
      header: { signer: lender.wallet, marginfiAccount: lender.account },
      liquidateeMarginfiAccount: party.account,
      liquidateeMarginfiAccountAuthority: party.wallet,
      assetBank: bank('USDC').address,
      liabilityBank: bank('SOL').address,
    });
    expect(event?.liquidateePostHealth).toBeGreaterThan(event?.liquidateePreHealth ?? 0);
    expect(event?.preBalances.liquidateeAssetBalance).toBeCloseTo(8_000e6, -1);
    expect(event?.postBalances.liquidateeAssetBalance).toBeCloseTo(7_000e6, -1);
    expect(chain.marginfiAccount(party.account).indexerFlags).toMatchObject({ hasEverBeenLiquidated: 1 });
    expect(chain.marginfiAccount(lender.account).indexerFlags).toMatchObject({ hasEverBeenLiquidated: 0 });
  });

  it('takes the fees that the bank of the debt has, and not those of the collateral', () => {
    const setFees = (name: string, liquidator: number, insurance: number) =>
      chain.edit(bank(name).address, (data) => {
        new DataView(data.buffer).setUint32(1_544, liquidator, true);
        new DataView(data.buffer).setUint32(1_548, insurance, true);
      });
    // 3 % and 1 % of u32::MAX.
    setFees('SOL', 128_849_018, 42_949_672);
    setFees('USDC', 2 ** 31, 2 ** 31);
    const before = { party: amounts(party.account), lender: amounts(lender.account) };
    expectDone(liquidate(1_000n * USDC));
    const after = { party: amounts(party.account), lender: amounts(lender.account) };
    const paid = (before.lender.SOL as bigint) - (after.lender.SOL as bigint);
    const relieved = (after.party.SOL as bigint) - (before.party.SOL as bigint);
    expect(Number(relieved) / Number(paid)).toBeCloseTo(0.96 / 0.97, 6);
  });

  describe('with a circuit breaker on the debt', () => {
    const watch = (change: (view: DataView) => void) =>
      chain.edit(bank('SOL').address, (data) => {
        const view = new DataView(data.buffer);
        view.setBigUint64(840, view.getBigUint64(840, true) | (1n << 11n), true);
        change(view);
      });
    const halt = () =>
      watch((view) => {
        view.setUint8(1_776, 1);
        view.setBigInt64(1_768, chain.context.unixTimestamp + 100n, true);
      });
    const makeRiskAdmin = (wallet: Address) =>
      chain.edit(MARGINFI_MAIN_GROUP, (data) => data.set(getAddressBytes(wallet), 296));

    it('is left to administrators while it halts', () => {
      halt();
      expect(errorOf(liquidate(USDC))).toBe('CircuitBreakerAdminOnly');
      makeRiskAdmin(lender.wallet);
      expectDone(liquidate(1_000n * USDC));
      chain.wait(200n);
      chain.setPrice('SOL', 6_500_000n);
      makeRiskAdmin(party.wallet);
      expectDone(liquidate(USDC));
    });

    it('stops at a price that has jumped, administrators too', () => {
      watch((view) => {
        view.setUint16(824, 500, true);
        view.setBigUint64(1_800, 1n << 48n, true);
      });
      expect(errorOf(liquidate(USDC))).toBe('CircuitBreakerPriceJump');
      makeRiskAdmin(lender.wallet);
      expect(errorOf(liquidate(USDC))).toBe('CircuitBreakerPriceJump');
    });

    it('asks administrators for an account of their own', () => {
      halt();
      makeRiskAdmin(lender.wallet);
      chain.edit(lender.account, (data) => data.fill(9, 40, 72));
      expect(errorOf(liquidate(USDC))).toBe('Unauthorized');
    });
  });

  it('looks at the signer before it looks at the banks', () => {
    chain.edit(lender.account, (data) => data.fill(9, 40, 72));
    chain.edit(bank('SOL').address, (data) => data.fill(0, 608, 609));
    expect(errorOf(liquidate(USDC))).toBe('Unauthorized');
  });

  it('stops where the account would be more than well again, to the last unit', () => {
    const passes = (amount: bigint) => {
      const kept = chain;
      chain = kept.fork();
      const result = liquidate(amount);
      chain = kept;
      if (result.error !== null) expect(errorOf(result)).toBe('TooSevereLiquidation');
      return result.error === null;
    };
    let [low, high] = [1_000n * USDC, 7_700n * USDC];
    expect([passes(low), passes(high)]).toEqual([true, false]);
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (passes(middle)) low = middle;
      else high = middle;
    }
    expectDone(liquidate(low));
    expect(errorOf(liquidate(1n))).toBe('TooSevereLiquidation');
  });

  it('leaves a healthy account alone', () => {
    chain.setPrice('SOL', 1_000_000n);
    expect(errorOf(liquidate(USDC))).toBe('HealthyAccount');
  });

  it.each<[string, () => unknown, unknown]>([
    ['nothing', () => errorOf(liquidate(0n)), 'ZeroLiquidationAmount'],
    ['a bank against itself', () => errorOf(liquidate(USDC, { liability: 'USDC' })), 'SameAssetAndLiabilityBanks'],
    [
      'a debt that is none',
      () => errorOf(liquidate(USDC, { asset: 'SOL', liability: 'USDC' })),
      'NoLiabilitiesInLiabilityBank',
    ],
    [
      'a debt in a bank that is not held',
      () => errorOf(liquidate(USDC, { liability: 'USDT' })),
      'LendingAccountBalanceNotFound',
    ],
    ['collateral that is not held', () => errorOf(liquidate(USDC, { asset: 'USDT' })), 'BankAccountNotFound'],
    ['more than is held', () => errorOf(liquidate(8_001n * USDC)), 'OverliquidationAttempt'],
    ['itself', () => errorOf(liquidate(USDC, { liquidator: party })), 'AccountBorrowFailed'],
  ])('refuses to take %s', (_, attempt, error) => {
    expect(attempt()).toBe(error);
  });

  it.each([
    ['USDC', 0, 'BankPaused'],
    ['SOL', 0, 'BankPaused'],
    ['SOL', 3, 'BankKilledByBankruptcy'],
  ])('refuses in a bank of %s in state %d', (name, state, error) => {
    chain.edit(bank(name).address, (data) => {
      data[608] = state;
    });
    expect(errorOf(liquidate(USDC))).toBe(error);
  });

  it('refuses an account that somebody holds, and a liquidator whose own health would not do', async () => {
    chain.edit(party.account, (data) => new DataView(data.buffer).setBigUint64(1_800, 16n, true));
    expect(errorOf(liquidate(USDC))).toBe('ForbiddenIx');
    chain.edit(party.account, (data) => new DataView(data.buffer).setBigUint64(1_800, 0n, true));
    const poor = await chain.addParty({});
    expectDone(chain.send(poor.wallet, act.initializeAccount(poor)));
    expect(errorOf(liquidate(1_000n * USDC, { liquidator: poor }))).toBe('RiskEngineInitRejected');
  });

  it('stops a program that was told of more accounts than there are', () => {
    const banks = { asset: bank('USDC'), liability: bank('SOL') };
    const instruction = act.liquidate(lender, party.account, banks, USDC, {
      oracles: [],
      liquidator: [],
      liquidatee: [],
    });
    const data = Uint8Array.from(instruction.data ?? []);
    data[16] = 9;
    expect(errorOf(chain.send(lender.wallet, { ...instruction, data }))).toBe('ProgramFailedToComplete');
  });
});
