import { BANK_FLAG } from '@lending/domain';
import {
  bankLayout,
  encodeInstruction,
  INSTRUCTIONS_SYSVAR,
  lendingAccountPremiumSettledEvent,
  lendingPoolAccrueBankInterest,
  lendingPoolBankHandleBankruptcyEvent,
  lendingPoolHandleBankruptcy,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountLayout,
  marginfiGroupLayout,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { oracleAccountsOf } from '@lending/venues';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import * as act from '#market/lending-instructions.ts';
import { amountOf } from '../../token/token-state.ts';
import { forkBorrower, openBorrower } from '../testing/borrower.ts';
import { errorOf, eventsOf, expectDone } from '../testing/expect-outcome.ts';
import type { MarketChain, Party } from '../testing/market-chain.ts';

/** What a bank is named by in the table: dollars as collateral for SOL cost ten per cent, JitoSOL five. */
const TAGS = { USDC: 1, JitoSOL: 2, SOL: 3 } as const;
const [TEN, FIVE] = [42_949_672, 21_474_836];
/** What ten per cent of one collateral comes back as: weighing loses a unit. */
const TEN_WEIGHED = 42_949_671;
const YEAR = 31_536_000n;
const SOL = 1_000_000_000n;
const REDUCE_ONLY = 2;

const opened = await openBorrower();
let chain: MarketChain;
let party: Party;
beforeEach(() => {
  ({ chain, party } = forkBorrower(opened));
  for (const [name, premiumTag] of Object.entries(TAGS)) setBank(name, (bank) => ({ ...bank, premiumTag }));
  setCharging(true);
  setTable([
    [TAGS.USDC, TEN],
    [TAGS.JitoSOL, FIVE],
  ]);
});

const bank = (name: string) => chain.bank(name);
const send = (...instructions: Instruction[]) => chain.send(party.wallet, ...instructions);
const list = (change: Parameters<MarketChain['healthAccounts']>[1] = {}) => chain.healthAccounts(party.account, change);
const pulse = () => send(act.pulseHealth(party.account, list()));
const borrow = (amount: bigint) => send(act.borrow(party, bank('SOL'), amount, list({ with: [bank('SOL').address] })));
const balanceOf = (name: string, account: Address = party.account) =>
  chain.marginfiAccount(account).lendingAccount.balances.find(({ bankPk }) => bankPk === bank(name).address);
const debt = () => balanceOf('SOL') as NonNullable<ReturnType<typeof balanceOf>>;
const collected = () => bankLayout.decode(chain.data(bank('SOL').address)).collectedPremiumOutstanding;
/** Principal, raw I80F48. */
const principal = () => (debt().liabilityShares * bank('SOL').shares.liabilityShareValue) >> 48n;

function setBank(
  name: string,
  change: (bank: ReturnType<typeof bankLayout.decode>) => ReturnType<typeof bankLayout.decode>,
) {
  chain.rewrite(bankLayout, bank(name).address, change);
}

function setCharging(isActive: boolean): void {
  setBank('SOL', (value) => ({
    ...value,
    flags: isActive ? value.flags | BANK_FLAG.chargesPremium : value.flags & ~BANK_FLAG.chargesPremium,
  }));
}

function setTable(rates: readonly (readonly [collateralTag: number, rate: number])[]): void {
  chain.rewrite(marginfiGroupLayout, MARGINFI_MAIN_GROUP, (group) => ({
    ...group,
    premiumSettings: { ...group.premiumSettings, entryCount: rates.length },
    premiumEntries: group.premiumEntries.map((none, index) => {
      const [collateralTag, rate] = rates[index] ?? [];
      return collateralTag === undefined || rate === undefined ? none : { collateralTag, liabilityTag: TAGS.SOL, rate };
    }),
  }));
}

function setDebt(change: Partial<ReturnType<typeof debt>>, name = 'SOL'): void {
  const { address } = bank(name);
  chain.rewrite(marginfiAccountLayout, party.account, ({ lendingAccount, ...account }) => ({
    ...account,
    lendingAccount: {
      ...lendingAccount,
      balances: lendingAccount.balances.map((one) => (one.bankPk === address ? { ...one, ...change } : one)),
    },
  }));
}

/** Collateral whose price is old, and which backs no new debt: health does without it, a rate does not. */
function addStaleCollateral(): void {
  expectDone(send(act.deposit(party, bank('JitoSOL'), SOL)));
  setBank('JitoSOL', (value) => ({ ...value, config: { ...value.config, operationalState: REDUCE_ONLY } }));
  chain.wait(3_600n, { publishes: false });
  for (const name of ['SOL', 'USDC'] as const) chain.setPrice(name, 1_000_000n);
}

describe('a rate', () => {
  it('is set by a pulse, a borrow and a withdrawal, from what every collateral is worth', () => {
    expectDone(pulse());
    expect(debt()).toMatchObject({ premiumRateSnapshot: TEN_WEIGHED, premiumOutstanding: 0n });
    setTable([[TAGS.USDC, FIVE]]);
    expectDone(borrow(SOL));
    expect(debt().premiumRateSnapshot).toBe(FIVE - 1);
    setTable([]);
    expectDone(send(act.withdraw(party, bank('USDC'), 1_000_000n, list())));
    expect(debt().premiumRateSnapshot).toBe(0);
  });

  it('is set at the end of a flash loan, and not within it', () => {
    const inner = [act.borrow(party, bank('SOL'), 1n, list()), act.pulseHealth(party.account, list())];
    const start = act.startFlashLoan(party, 3n);
    expectDone(send(start, ...inner, act.endFlashLoan(party, list())));
    expect(debt().premiumRateSnapshot).toBe(TEN_WEIGHED);
  });

  it('stays after a deposit and a repayment', () => {
    expectDone(pulse());
    setTable([[TAGS.USDC, FIVE]]);
    expectDone(send(act.deposit(party, bank('USDC'), 1_000_000n), act.repay(party, bank('SOL'), SOL)));
    expect(debt().premiumRateSnapshot).toBe(TEN_WEIGHED);
  });

  it('is claimed at the old rate and debt before it changes', () => {
    expectDone(pulse());
    const claimedAt = chain.context.unixTimestamp;
    chain.wait(YEAR / 2n);
    setTable([[TAGS.USDC, FIVE]]);
    const owed = principal();
    expectDone(pulse());
    // (debt × rate) × years, each product floored.
    const rate = (((BigInt(TEN_WEIGHED) << 96n) / (4_294_967_295n << 48n)) * (10n << 48n)) >> 48n;
    expect(debt()).toMatchObject({
      premiumRateSnapshot: FIVE - 1,
      premiumOutstanding: (((owed * rate) >> 48n) * (1n << 47n)) >> 48n,
      lastUpdate: claimedAt + YEAR / 2n,
    });
  });

  it('is claimed by the debt before a borrow', () => {
    expectDone(pulse());
    chain.wait(YEAR);
    expectDone(chain.send(party.wallet, act.deposit(party, bank('USDC'), 2_000_000_000n)));
    expectDone(borrow(5n * SOL));
    const premium = Number(debt().premiumOutstanding >> 48n) / Number((principal() >> 48n) - 5n * SOL);
    expect(premium).toBeCloseTo(0.1, 4);
  });

  it('is none where the bank ceases to charge: what was owed is forgiven', () => {
    expectDone(pulse());
    chain.wait(YEAR);
    expectDone(pulse());
    expect(debt().premiumOutstanding).toBeGreaterThan(0n);
    setCharging(false);
    expectDone(pulse());
    expect(debt()).toMatchObject({
      premiumRateSnapshot: 0,
      premiumOutstanding: 0n,
      lastUpdate: chain.context.unixTimestamp,
    });
  });

  it('cannot be set without a price: new debt is refused, a withdrawal raises it, the next pulse does nothing', () => {
    addStaleCollateral();
    setDebt({ premiumRateSnapshot: FIVE - 9 });
    expect(errorOf(borrow(SOL))).toBe('PremiumSnapshotUnavailable');
    const inner = [act.startFlashLoan(party, 1n), act.endFlashLoan(party, list())];
    expect(errorOf(send(...inner))).toBe('PremiumSnapshotUnavailable');
    expectDone(pulse());
    expect(debt().premiumRateSnapshot).toBe(FIVE - 9);
    expectDone(send(act.withdraw(party, bank('USDC'), 1_000_000n, list())));
    expect(debt()).toMatchObject({ premiumRateSnapshot: FIVE, lastUpdate: chain.context.unixTimestamp });
    setTable([]);
    expectDone(borrow(SOL));
  });
});

describe('a repayment', () => {
  beforeEach(() => {
    expectDone(pulse());
    chain.wait(YEAR);
    const accounts = { group: MARGINFI_MAIN_GROUP, bank: bank('SOL').address };
    expectDone(send(encodeInstruction(lendingPoolAccrueBankInterest, MARGINFI_PROGRAM, accounts, {})));
  });

  it('pays the premium first, and tells of it', () => {
    expectDone(pulse());
    const [owed, before] = [debt(), { principal: principal(), collected: collected() }];
    const result = expectDone(send(act.repay(party, bank('SOL'), 5n * SOL)));
    expect(debt().premiumOutstanding).toBe(0n);
    expect(collected() - before.collected).toBe(owed.premiumOutstanding);
    const paid = before.principal - principal();
    expect(Number(paid - (((5n * SOL) << 48n) - owed.premiumOutstanding)) / 2 ** 48).toBeCloseTo(0, 3);
    const [event] = eventsOf(result, lendingAccountPremiumSettledEvent);
    expect(event).toMatchObject({
      bank: bank('SOL').address,
      premiumSettled: Number(owed.premiumOutstanding) / 2 ** 48,
      premiumWrittenOff: 0,
      premiumOutstandingRemaining: 0,
    });
  });

  it('leaves the debt as it is while it does not cover the premium', () => {
    expectDone(pulse());
    const [owed, shares] = [debt().premiumOutstanding, debt().liabilityShares];
    const result = expectDone(send(act.repay(party, bank('SOL'), 1_000n)));
    expect(debt()).toMatchObject({ premiumOutstanding: owed - (1_000n << 48n), liabilityShares: shares });
    const [event] = eventsOf(result, lendingAccountPremiumSettledEvent);
    expect(event).toMatchObject({ premiumSettled: 1_000 });
  });

  it('of all pays the whole of both in whole units, and the insurance gets what is too much', () => {
    expectDone(pulse());
    const [owed, vault] = [
      debt().premiumOutstanding + principal(),
      () => amountOf(chain.data(bank('SOL').liquidityVault)),
    ];
    const insurance = () => bankLayout.decode(chain.data(bank('SOL').address)).collectedInsuranceFeesOutstanding;
    const before = {
      vault: vault(),
      insurance: insurance(),
      premium: debt().premiumOutstanding,
      collected: collected(),
    };
    expectDone(send(act.repay(party, bank('SOL'), 'all')));
    const whole = (owed >> 48n) + 1n;
    expect(vault() - before.vault).toBe(whole);
    expect(insurance() - before.insurance).toBe((whole << 48n) - owed);
    expect(collected() - before.collected).toBe(before.premium);
    expect(balanceOf('SOL')).toBeUndefined();
  });

  it('of all leaves out the premium of a bank that charges none', () => {
    setCharging(false);
    setDebt({ premiumOutstanding: SOL << 48n });
    const before = collected();
    const result = expectDone(send(act.repay(party, bank('SOL'), 'all')));
    expect([collected(), eventsOf(result, lendingAccountPremiumSettledEvent)]).toEqual([before, []]);
  });

  it('may not leave less than a share', () => {
    setTable([]);
    expectDone(pulse());
    setDebt({ liabilityShares: 3n << 47n, premiumOutstanding: 0n, premiumRateSnapshot: 0 });
    expect(errorOf(send(act.repay(party, bank('SOL'), 1n)))).toBe('IllegalBalanceState');
  });
});

describe('a bankruptcy', () => {
  it('writes the premium off', () => {
    setDebt({ assetShares: 0n }, 'USDC');
    setDebt({ premiumOutstanding: 7n << 48n, premiumRateSnapshot: TEN });
    const { riskAdmin } = chain.group();
    const accounts = {
      group: MARGINFI_MAIN_GROUP,
      signer: riskAdmin,
      bank: bank('SOL').address,
      marginfiAccount: party.account,
      liquidityVault: bank('SOL').liquidityVault,
      insuranceVault: bank('SOL').insuranceVault,
      insuranceVaultAuthority: act.vaultAuthorityOf('insurance', bank('SOL')),
      tokenProgram: TOKEN_PROGRAM,
      instructionsSysvar: INSTRUCTIONS_SYSVAR,
    };
    const readonly = list().map((address) => ({ address, role: AccountRole.READONLY }));
    const before = collected();
    const result = expectDone(
      chain.send(riskAdmin, encodeInstruction(lendingPoolHandleBankruptcy, MARGINFI_PROGRAM, accounts, {}, readonly)),
    );
    const [event] = eventsOf(result, lendingPoolBankHandleBankruptcyEvent);
    expect(event?.premiumWrittenOff).toBe(7);
    expect(debt()).toMatchObject({ premiumOutstanding: 0n, premiumRateSnapshot: 0 });
    expect(collected()).toBe(before);
  });
});

describe('a liquidation', () => {
  let liquidator: Party;
  beforeEach(async () => {
    liquidator = await chain.addParty({ SOL: 500n * SOL, JitoSOL: 10n * SOL, USDC: 0n });
    const lend = act.deposit(liquidator, bank('SOL'), 200n * SOL);
    expectDone(chain.send(liquidator.wallet, act.initializeAccount(liquidator), lend));
  });

  const liquidate = () => {
    const banks = { asset: bank('USDC'), liability: bank('SOL') };
    return chain.send(
      liquidator.wallet,
      act.liquidate(liquidator, party.account, banks, 1_000_000_000n, {
        oracles: [...oracleAccountsOf(banks.asset), ...oracleAccountsOf(banks.liability)],
        liquidator: chain.healthAccounts(liquidator.account, { with: [banks.asset.address, banks.liability.address] }),
        liquidatee: list(),
      }),
    );
  };

  it('sets the rates of both', () => {
    chain.setPrice('SOL', 6_500_000n);
    expectDone(liquidate());
    expect(debt().premiumRateSnapshot).toBe(TEN_WEIGHED);
    expect(balanceOf('SOL', liquidator.account)?.premiumRateSnapshot).toBe(0);
  });

  it('pays what the liquidator owes in premium for the collateral first', () => {
    const owes = act.borrow(
      liquidator,
      bank('USDC'),
      500_000_000n,
      chain.healthAccounts(liquidator.account, { with: [bank('USDC').address] }),
    );
    expectDone(chain.send(liquidator.wallet, owes));
    setBank('USDC', (value) => ({ ...value, flags: value.flags | BANK_FLAG.chargesPremium }));
    const { address } = bank('USDC');
    chain.rewrite(marginfiAccountLayout, liquidator.account, ({ lendingAccount, ...account }) => ({
      ...account,
      lendingAccount: {
        ...lendingAccount,
        balances: lendingAccount.balances.map((one) =>
          one.bankPk === address ? { ...one, premiumOutstanding: 40_000_000n << 48n, premiumRateSnapshot: TEN } : one,
        ),
      },
    }));
    chain.setPrice('SOL', 6_500_000n);
    expectDone(liquidate());
    expect(bankLayout.decode(chain.data(address)).collectedPremiumOutstanding).toBe(40_000_000n << 48n);
    const { assetShares, liabilityShares, ...premium } = balanceOf('USDC', liquidator.account) ?? {};
    expect((liabilityShares ?? 1n) >> 48n).toBe(0n);
    expect(premium).toMatchObject({ premiumOutstanding: 0n, premiumRateSnapshot: 0 });
    const held = (((assetShares ?? 0n) * bank('USDC').shares.assetShareValue) >> 96n) / 1_000_000n;
    expect(held).toBeGreaterThanOrEqual(459n);
    expect(held).toBeLessThanOrEqual(460n);
  });

  it('costs a liquidator the highest rate while one of his own prices is missing', () => {
    const dip = () => chain.setPrice('SOL', 6_500_000n);
    expectDone(chain.send(liquidator.wallet, act.deposit(liquidator, bank('JitoSOL'), 10n * SOL)));
    setBank('JitoSOL', (value) => ({ ...value, config: { ...value.config, operationalState: REDUCE_ONLY } }));
    const { address } = bank('SOL');
    chain.rewrite(marginfiAccountLayout, liquidator.account, ({ lendingAccount, ...account }) => ({
      ...account,
      lendingAccount: {
        ...lendingAccount,
        // So little that he takes the debt on.
        balances: lendingAccount.balances.map((one) =>
          one.bankPk === address ? { ...one, assetShares: SOL << 48n } : one,
        ),
      },
    }));
    chain.wait(3_600n, { publishes: false });
    dip();
    chain.setPrice('USDC', 1_000_000n);
    expectDone(liquidate());
    expect(balanceOf('SOL', liquidator.account)).toMatchObject({ assetShares: 0n, premiumRateSnapshot: TEN });
  });
});
