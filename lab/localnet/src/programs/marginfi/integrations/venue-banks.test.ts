import {
  getAddressBytes,
  juplendDeposit,
  juplendWithdraw,
  kaminoDeposit,
  kaminoWithdraw,
  lendingAccountDepositEvent,
  lendingAccountWithdrawEvent,
  MARGINFI_MAIN_GROUP,
  rateLimitFlowEvent,
  solendDeposit,
  solendWithdraw,
} from '@lending/programs';
import type { Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ExecutionResult } from '#engine/engine.ts';
import * as act from '#market/lending-instructions.ts';
import { amountOf } from '../../token/token-state.ts';
import { errorOf, eventsOf, expectDone } from '../testing/expect-outcome.ts';
import { VenueLender, withAccount } from '../testing/venue-lender.ts';
import { VENUE_BANK_ERRORS } from './venue-banks.ts';

const LAYOUTS = {
  kamino: { deposit: kaminoDeposit, withdraw: kaminoWithdraw, flag: 'hasKamino' },
  solend: { deposit: solendDeposit, withdraw: solendWithdraw, flag: null },
  juplend: { deposit: juplendDeposit, withdraw: juplendWithdraw, flag: 'hasJuplend' },
} as const;

const STATE = 608;
const ASSET_TAG = 785;
const FLAGS = 1800;

const opened = {
  kamino: await VenueLender.open('kamino'),
  solend: await VenueLender.open('solend'),
  juplend: await VenueLender.open('juplend'),
};

let lender: VenueLender;

describe.each(['kamino', 'solend', 'juplend'] as const)('lending in a bank on %s', (venue) => {
  const layouts = LAYOUTS[venue];
  const errors = VENUE_BANK_ERRORS[venue];
  beforeEach(() => {
    lender = opened[venue].fork();
  });
  const wallet = () => lender.chain.tokens(lender.party.wallet, 'USDC');
  const setBank = (offset: number, value: number) =>
    lender.chain.edit(lender.bank.address, (data) => data.fill(value, offset, offset + 1));
  const vault = () => amountOf(lender.chain.data(lender.bank.liquidityVault));

  it('credits the receipts that the venue gave, and tells the tokens', async () => {
    lender.chain.wait(5n);
    const before = { position: lender.position(), shares: lender.bank.shares.totalAssetShares };
    const result = expectDone(lender.send(lender.deposit(1_000_000_000n)));
    const receipts = lender.position() - before.position;
    expect(receipts).toBeGreaterThan(700_000_000n);
    expect(receipts).toBeLessThan(1_000_000_000n);
    expect([await lender.tokens(), vault()]).toEqual([9_000_000_000n, 0n]);
    expect(lender.receipts()).toBe(receipts);
    expect(lender.bank.shares.totalAssetShares - before.shares).toBe(receipts << 48n);
    const header = { signer: lender.party.wallet, marginfiAccount: lender.party.account };
    expect(eventsOf(result, lendingAccountDepositEvent)).toMatchObject([
      {
        header,
        bank: lender.bank.address,
        mint: lender.bank.mint,
        amount: 1_000_000_000n,
        shareAmount: receipts << 48n,
      },
    ]);
    const { indexerFlags, lastUpdate } = lender.chain.marginfiAccount(lender.party.account);
    expect(indexerFlags).toMatchObject({ isLendingOnly: 1, isEmpty: 0, ...(layouts.flag && { [layouts.flag]: 1 }) });
    expect(lastUpdate).toBe(lender.chain.context.unixTimestamp);
  });

  it('pays out to the unit what the venue paid, and judges what is left', async () => {
    expectDone(lender.send(lender.deposit(1_000_000_000n)));
    const before = { receipts: lender.receipts(), position: lender.position() };
    lender.chain.wait(30n);
    const result = expectDone(lender.send(lender.withdraw(300_000_000n)));
    const [event] = eventsOf(result, lendingAccountWithdrawEvent);
    const taken = before.receipts - lender.receipts();
    expect(event).toMatchObject({ amount: 300_000_000n, closeBalance: false, shareAmount: taken << 48n });
    expect(before.position - lender.position()).toBe(taken);
    const paid = (await lender.tokens()) - 9_000_000_000n;
    // Kamino and Save count receipts, JupLend tokens.
    expect(venue === 'juplend' ? [paid, taken < 300_000_000n] : [taken, paid > 300_000_000n]).toEqual([
      300_000_000n,
      true,
    ]);
    expect(vault()).toBe(0n);
    const { healthCache } = lender.chain.marginfiAccount(lender.party.account);
    expect(healthCache).toMatchObject({ timestamp: lender.chain.context.unixTimestamp, internalErr: 0 });
    expect(Number(healthCache.assetValue >> 48n)).toBeGreaterThan(500);
    const { price, multiplier } = lender.bank.oracleCache;
    // One token in USD, and one receipt in tokens.
    expect(Number(price) / 2 ** 48).toBeCloseTo(1, 2);
    expect(Number(multiplier) / 2 ** 48).toBeCloseTo(Number(1_000_000_000n) / Number(before.receipts), 5);
  });

  it('gives all of it back with what it earned, and frees the slot', async () => {
    expectDone(lender.send(lender.deposit(1_000_000_000n)));
    const position = lender.position();
    const receipts = lender.receipts();
    lender.chain.wait(30n * 86_400n);
    const result = expectDone(lender.send(lender.withdraw('all')));
    const earned = (await lender.tokens()) - 10_000_000_000n;
    expect(earned).toBeGreaterThan(100_000n);
    expect(earned).toBeLessThan(100_000_000n);
    expect(eventsOf(result, lendingAccountWithdrawEvent)).toMatchObject([
      { closeBalance: true, shareAmount: receipts << 48n },
    ]);
    expect(position - lender.position()).toBeLessThanOrEqual(receipts);
    expect(lender.chain.marginfiAccount(lender.party.account).indexerFlags).toMatchObject({
      isEmpty: 1,
      hasKamino: 0,
      hasJuplend: 0,
    });
    expect(errorOf(lender.send(lender.withdraw(1n)))).toBe('BankAccountNotFound');
  });

  it('carries a loan, and not less than the loan', () => {
    expectDone(lender.send(lender.deposit(1_000_000_000n)));
    const sol = lender.chain.bank('SOL');
    const list = lender.chain.healthAccounts(lender.party.account, { with: [sol.address] });
    expectDone(lender.send([...lender.deposit(1_000_000n), act.borrow(lender.party, sol, 1_000_000_000n, list)]));
    expect(errorOf(lender.send(lender.withdraw('all')))).toBe('RiskEngineInitRejected');
    expectDone(lender.send(lender.withdraw(1_000_000n)));
  });

  it.each([
    ['BankPaused', 0, 'BankPaused'],
    ['BankReduceOnly', 2, null],
    ['BankKilledByBankruptcy', 3, 'BankKilledByBankruptcy'],
    ['BankUninitialized', 4, 'BankUninitialized'],
  ] as const)('refuses deposits with %s in state %i, withdrawals with %s', (depositError, state, withdrawError) => {
    expectDone(lender.send(lender.deposit(1_000_000n)));
    setBank(STATE, state);
    expect(errorOf(lender.send(lender.deposit(1_000_000n)))).toBe(depositError);
    expect(errorOf(lender.send(lender.withdraw(100_000n)))).toBe(withdrawError);
  });

  it('refuses accounts that are paused, disabled, frozen or somebody else’s', async () => {
    expectDone(lender.send(lender.deposit(1_000_000n)));
    const stranger = await lender.chain.addParty({ USDC: 1n });
    const owner = { wallet: stranger.wallet, account: lender.party.account };
    expect(errorOf(lender.send(lender.withdraw(1_000n, owner), stranger.wallet))).toBe('Unauthorized');
    for (const [flag, error] of [
      [1n, 'AccountDisabled'],
      [64n, 'AccountFrozen'],
    ] as const) {
      lender.setU64(lender.party.account, FLAGS, flag);
      expect(errorOf(lender.send(lender.deposit(1_000n)))).toBe(error);
      expect(errorOf(lender.send(lender.withdraw(1_000n)))).toBe(error);
    }
  });

  it('is withdrawn from by whoever holds the account in receivership, whose health is looked at later', async () => {
    expectDone(lender.send(lender.deposit(1_000_000_000n)));
    const sol = lender.chain.bank('SOL');
    const list = lender.chain.healthAccounts(lender.party.account, { with: [sol.address] });
    expectDone(lender.send([...lender.deposit(1_000_000n), act.borrow(lender.party, sol, 1_000_000_000n, list)]));
    const holder = await lender.chain.addParty({ USDC: 0n });
    const owner = { wallet: holder.wallet, account: lender.party.account };
    const nearlyAll = venue === 'juplend' ? 990_000_000n : lender.receipts() - 10_000_000n;
    expect(errorOf(lender.send(lender.withdraw(nearlyAll)))).toBe('RiskEngineInitRejected');
    lender.setU64(lender.party.account, FLAGS, 16n);
    expect(errorOf(lender.send(lender.withdraw(1_000n)))).toBe('Unauthorized');
    expectDone(lender.send(lender.withdraw(nearlyAll, owner), holder.wallet));
    expect(await lender.chain.tokens(holder.wallet, 'USDC')).toBeGreaterThanOrEqual(980_000_000n);
  });

  it('is not withdrawn from in receivership where it weighs nothing', async () => {
    expectDone(lender.send(lender.deposit(1_000_000_000n)));
    const holder = await lender.chain.addParty({ USDC: 0n });
    lender.setU64(lender.party.account, FLAGS, 16n);
    const withdrawn = lender.withdraw(1_000_000n, { wallet: holder.wallet, account: lender.party.account });
    lender.chain.edit(lender.bank.address, (data) => data.fill(0, 296, 312));
    expect(errorOf(lender.send(withdrawn, holder.wallet))).toBe('LiquidationPremiumTooHigh');
  });

  it('knows whoever executes an order, but on Solend', async () => {
    expectDone(lender.send(lender.deposit(1_000_000_000n)));
    const keeper = await lender.chain.addParty({ USDC: 0n });
    lender.setU64(lender.party.account, FLAGS, 128n);
    const list = lender.withdraw(1_000_000n, { wallet: keeper.wallet, account: lender.party.account });
    expect(errorOf(lender.send(list, keeper.wallet))).toBe(venue === 'solend' ? 'Unauthorized' : null);
  });

  it('asks for the bank’s own accounts at the venue', () => {
    const stranger = lender.chain.bank('USDC');
    expectDone(lender.send(lender.deposit(1_000_000n)));
    const venueAccount = lender.integrationAccount(0);
    const position = lender.integrationAccount(1);
    // Accounts of the right kind that the bank does not name.
    const copies = [
      'Copy1111111111111111111111111111111111111111',
      'Copy2222222222222222222222222222222222222222',
    ] as never[];
    for (const [at, address] of [venueAccount, position].entries()) {
      const state = lender.chain.accounts.get(address);
      if (state !== undefined) lender.chain.accounts.set(copies[at] as never, state);
    }
    for (const [layout, list] of [
      [layouts.deposit, lender.deposit(1_000n)],
      [layouts.withdraw, lender.withdraw(1_000n)],
    ] as const) {
      const error = (name: string, address: string) =>
        errorOf(lender.send(withAccount(list, layout, name, address as never)));
      expect(error('integrationAcc1', copies[0] as never)).toBe(errors.reserve);
      expect(error('integrationAcc2', copies[1] as never)).toBe(errors.position);
      expect(error('mint', lender.chain.bank('SOL').mint)).toBe('InvalidMint');
      expect(error('bank', stranger.address)).toBe(
        layout === juplendWithdraw ? errors.reserve : 'InvalidLiquidityVault',
      );
    }
    const lists = [lender.deposit(1_000n), lender.withdraw(1_000n)];
    setBank(ASSET_TAG, 0);
    for (const list of lists) expect(errorOf(lender.send(list))).toBe(errors.tag);
  });

  it('keeps to the bank’s limits: deposits count as receipts, what flows out as tokens', async () => {
    expectDone(lender.send(lender.deposit(1_000_000_000n)));
    const held = lender.bank.shares.totalAssetShares >> 48n;
    lender.setU64(lender.bank.address, 360, held + 1_000_000n);
    expect(errorOf(lender.send(lender.deposit(2_000_000n)))).toBe('BankAssetCapacityExceeded');
    expectDone(lender.send(lender.deposit(900_000n)));
    const inWallet = await wallet();
    expectDone(lender.send(lender.withdraw(1_000_000n)));
    // What a million receipts are in tokens, a unit too much rather than too few.
    const tokens = (await wallet()) - inWallet + 1n;
    lender.setU64(lender.bank.address, 1656, 5n * tokens);
    lender.setU64(lender.bank.address, 1664, 3_600n);
    lender.setU64(lender.bank.address, 1672, lender.chain.context.unixTimestamp);
    expectDone(lender.send(lender.withdraw(4_000_000n)));
    expect(errorOf(lender.send(lender.withdraw(1_100_000n)))).toBe('BankHourlyRateLimitExceeded');
    expectDone(lender.send(lender.withdraw(900_000n)));
    expectDone(lender.send(lender.deposit(800_000n)));
  });

  it('is counted by the group’s limit in USD', async () => {
    expectDone(lender.send(lender.deposit(1_000_000_000n)));
    lender.setU64(MARGINFI_MAIN_GROUP, 376, 100n);
    const flow = { bank: lender.bank.address, mint: lender.bank.mint, mintDecimals: 6 };
    const paidIn = expectDone(lender.send(lender.deposit(50_000_000n)));
    expect(eventsOf(paidIn, rateLimitFlowEvent)).toMatchObject([
      { ...flow, nativeAmount: 50_000_000n, flowDirection: 1 },
    ]);
    const before = await wallet();
    const paidOut = expectDone(lender.send(lender.withdraw(50_000_000n)));
    expect(eventsOf(paidOut, rateLimitFlowEvent)).toMatchObject([
      { ...flow, nativeAmount: (await wallet()) - before, flowDirection: 0 },
    ]);
    expect(errorOf(lender.send(lender.withdraw(150_000_000n)))).toBe('GroupHourlyRateLimitExceeded');
  });
});

describe('a bank on Kamino', () => {
  /** klend's own number; P0 has another error of it. */
  const RESERVE_STALE = { Custom: 6009 };
  /** Of a reserve. */
  const LAST_SLOT = 16;
  const IS_STALE = 24;
  const FIRST_DEPOSIT = 96;
  const SECOND_AMOUNT = 96 + 136 + 32;

  beforeEach(() => {
    lender = opened.kamino.fork();
  });

  /** The last instruction alone, with these bytes behind its amount. */
  function bare(instructions: readonly Instruction[], tail: readonly number[]): readonly Instruction[] {
    const last = instructions.at(-1);
    if (last === undefined) throw new TypeError('No instruction');
    return [{ ...last, data: Uint8Array.from([...(last.data ?? []).slice(0, 16), ...tail]) }];
  }

  /** What somebody else's deposit in the slot leaves: the obligation is of the slot, the reserve no longer. */
  function refreshObligationOnly(): void {
    expectDone(lender.send(lender.deposit(1n).slice(0, -1)));
    lender.chain.edit(lender.integrationAccount(0), (data) => data.fill(1, IS_STALE, IS_STALE + 1));
  }

  const reasonOf = ({ error }: ExecutionResult) =>
    (error as { InstructionError?: [number, unknown] })?.InstructionError?.[1];

  describe('kamino_deposit', () => {
    it('refreshes the reserve itself when it is asked to', () => {
      lender.chain.wait(1n);
      refreshObligationOnly();
      expect(reasonOf(lender.send(bare(lender.deposit(1_000_000n), [0])))).toEqual(RESERVE_STALE);
      expect(reasonOf(lender.send(bare(lender.deposit(1_000_000n), [1, 0])))).toEqual(RESERVE_STALE);
      expectDone(lender.send(bare(lender.deposit(1_000_000n), [1, 1])));
    });

    it('expects what the reserve would have given before that refresh', () => {
      lender.chain.wait(400n * 86_400n);
      refreshObligationOnly();
      lender.setU64(lender.integrationAccount(0), LAST_SLOT, lender.chain.context.slot - 50_000_000n);
      expect(errorOf(lender.send(bare(lender.deposit(5_000_000_000n), [1, 1])))).toBe('KaminoDepositFailed');
      expectDone(lender.send(lender.deposit(5_000_000_000n)));
    });

    it('does not read data that ends before the flag', () => {
      expect(errorOf(lender.send(bare(lender.deposit(1_000_000n), [])))).toBe(102);
    });

    it('takes an obligation with the bank’s reserve first, and nothing beside it', () => {
      const obligation = lender.integrationAccount(1);
      const deposit = lender.deposit(1_000_000n);
      expectDone(lender.send(deposit));
      const withdraw = lender.withdraw(1_000n);
      lender.setU64(obligation, SECOND_AMOUNT, 1n);
      expect(errorOf(lender.send(deposit))).toBe('InvalidObligationDepositCount');
      expect(errorOf(lender.send(withdraw))).toBe('InvalidObligationDepositCount');
      lender.chain.edit(obligation, (data) => data.set(getAddressBytes(lender.bank.mint), FIRST_DEPOSIT));
      // The two instructions look in another order.
      expect(errorOf(lender.send(deposit.slice(-1)))).toBe('ObligationDepositReserveMismatch');
      expect(errorOf(lender.send(withdraw.slice(-1)))).toBe('InvalidObligationDepositCount');
      lender.setU64(obligation, SECOND_AMOUNT, 0n);
      expect(errorOf(lender.send(withdraw.slice(-1)))).toBe('ObligationDepositReserveMismatch');
    });

    it('calls no other program than klend and its farms', () => {
      const { mint } = lender.bank;
      expect(errorOf(lender.send(withAccount(lender.deposit(1n), kaminoDeposit, 'kaminoProgram', mint)))).toBe(2012);
      expect(errorOf(lender.send(withAccount(lender.deposit(1n), kaminoDeposit, 'farmsProgram', mint)))).toBe(2012);
    });
  });

  describe('kamino_withdraw', () => {
    it('takes all and refreshes, each when its bit is set', () => {
      expectDone(lender.send(lender.deposit(1_000_000n)));
      lender.chain.wait(60n);
      refreshObligationOnly();
      const all = lender.withdraw('all');
      expect(reasonOf(lender.send(bare(all, [1, 1])))).toEqual(RESERVE_STALE);
      expectDone(lender.send(bare(all, [1, 3])));
      expect(lender.receipts()).toBe(0n);
    });

    it('leaves the tokens to whoever the caller names', async () => {
      expectDone(lender.send(lender.deposit(1_000_000n)));
      const friend = await lender.chain.addParty({ USDC: 0n });
      const list = lender.withdraw(500_000n, { wallet: friend.wallet, account: lender.party.account });
      const toFriend = withAccount(list, kaminoWithdraw, 'authority', lender.party.wallet);
      expectDone(lender.send(toFriend));
      expect(await lender.chain.tokens(friend.wallet, 'USDC')).toBeGreaterThan(500_000n);
    });
  });
});

describe('a bank on Save', () => {
  const DEPOSITS_LENGTH = 202;
  const BORROWS_LENGTH = 203;

  beforeEach(() => {
    lender = opened.solend.fork();
  });

  describe('solend_deposit', () => {
    it('wants the reserve refreshed in its slot', () => {
      expectDone(lender.send(lender.deposit(1_000_000n)));
      lender.chain.wait(1n);
      expect(errorOf(lender.send(lender.deposit(1_000_000n).slice(-1)))).toBe('SolendReserveStale');
      expect(errorOf(lender.send(lender.withdraw(1_000n).slice(-1)))).toBe('SolendReserveStale');
    });

    it('takes nothing for an account in receivership', () => {
      lender.setU64(lender.party.account, FLAGS, 16n);
      expect(errorOf(lender.send(lender.deposit(1_000_000n)))).toBe('AccountDisabled');
    });

    it('takes an obligation with one deposit and no debt, and no account of another program', () => {
      expectDone(lender.send(lender.deposit(1_000_000n)));
      const obligation = lender.integrationAccount(1);
      const lists = [lender.deposit(1_000n).slice(-1), lender.withdraw(1_000n).slice(-1)];
      const setByte = (at: number, value: number) =>
        lender.chain.edit(obligation, (data) => data.fill(value, at, at + 1));
      for (const [at, value, number] of [
        [DEPOSITS_LENGTH, 2, 6002],
        [BORROWS_LENGTH, 1, 6003],
        [0, 0, 6001],
      ] as const) {
        const before = lender.chain.data(obligation)[at] ?? 0;
        setByte(at, value);
        // Numbers of the crate that reads Solend, which the program's own share.
        for (const list of lists)
          expect(lender.send(list).error).toEqual({ InstructionError: [1, { Custom: number }] });
        setByte(at, before);
      }
      const list = withAccount(lender.deposit(1n), solendDeposit, 'solendProgram', lender.bank.mint);
      expect(errorOf(lender.send(list))).toBe(2012);
    });
  });
});

describe('a bank on JupLend', () => {
  beforeEach(() => {
    lender = opened.juplend.fork();
  });

  describe('juplend_deposit', () => {
    it('brings the rate up to now itself', () => {
      lender.chain.wait(3_600n);
      const [only, ...others] = lender.deposit(1_000_000_000n);
      expect([only?.accounts?.length, others]).toEqual([juplendDeposit.accounts.length, []]);
      expectDone(lender.send(lender.deposit(1_000_000_000n)));
      expect(lender.receipts()).toBeLessThan(1_000_000_000n);
    });

    it('names what the pool names', () => {
      expectDone(lender.send(lender.deposit(1_000_000n)));
      const { mint, liquidityVault } = lender.bank;
      for (const [layout, list] of [
        [juplendDeposit, lender.deposit(1_000n)],
        [juplendWithdraw, lender.withdraw(1_000n)],
      ] as const) {
        const error = (name: string, address: typeof mint) =>
          errorOf(lender.send(withAccount(list, layout, name, address)));
        expect(error('fTokenMint', lender.chain.bank('SOL').mint)).toBe('InvalidJuplendLending');
        expect(error('supplyTokenReservesLiquidity', liquidityVault)).toBe('InvalidJuplendLending');
        expect(error('lendingSupplyPositionOnLiquidity', liquidityVault)).toBe('InvalidJuplendLending');
        expect(error('rewardsRateModel', mint)).toBe('InvalidJuplendLending');
        expect(error('liquidityProgram', mint)).toBe(2012);
        expect(error('juplendProgram', mint)).toBe(2012);
      }
    });
  });

  describe('juplend_withdraw', () => {
    it('pays out through the bank’s own account of the token', async () => {
      expectDone(lender.send(lender.deposit(1_000_000_000n)));
      const list = lender.withdraw(1_000n);
      expect(
        errorOf(lender.send(withAccount(list, juplendWithdraw, 'integrationAcc3', lender.bank.liquidityVault))),
      ).toBe('InvalidJuplendWithdrawIntermediaryAta');
      expectDone(lender.send(list));
      expect(await lender.tokens()).toBe(9_000_001_000n);
    });

    it('burns a receipt more than a rounded price asks for, never one less', () => {
      expectDone(lender.send(lender.deposit(1_000_000_000n)));
      const before = lender.receipts();
      expectDone(lender.send(lender.withdraw(1_000_001n)));
      const price = new DataView(lender.chain.data(lender.integrationAccount(0)).buffer).getBigUint64(115, true);
      expect(before - lender.receipts()).toBe((1_000_001n * 10n ** 12n + price - 1n) / price);
    });
  });
});
