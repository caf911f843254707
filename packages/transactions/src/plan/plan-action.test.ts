import { ASSET_TAG, repayAll } from '@lending/domain';
import {
  bankLayout,
  decodeArguments,
  findAssociatedTokenAccount,
  lendingAccountBorrow,
  lendingAccountPulseHealth,
  lendingAccountRepay,
  lendingAccountWithdraw,
  MARGINFI_PROGRAM,
  SOLEND_PROGRAM,
  solendReserveLayout,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { toBankLedger } from '@lending/venues';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LendingAction } from '#action.ts';
import { needsPulse, takesPulse } from '#checks/needs-pulse.ts';
import { reserveAddress, setKaminoBank } from '#testing/made-kamino.ts';
import {
  ACCOUNT,
  bankAddress,
  charging,
  createMadeMarket,
  debt,
  deposit,
  feedAddress,
  GROUP,
  type MadeAccount,
  type MadeMarket,
  madeAddress,
  mintAddress,
  NOW,
  WALLET,
} from '#testing/made-market.ts';
import { madeClose, madeLoop, readMadePair } from '#testing/made-pair.ts';
import { readMade } from '#testing/read-made.ts';
import { actionLabel } from './action-label.ts';
import { debtToFund } from './debt-to-fund.ts';
import { leverageLabel } from './leverage-label.ts';
import { planAction } from './plan-action.ts';
import { tokenAccountSize } from './token-account-size.ts';

const WORDS = { symbol: 'TOK', venue: 'P0' };
const WINDOW = { windowDuration: 3_600n, windowStart: 0n, prevWindowOutflow: 0n, curWindowOutflow: 0n };
let market: MadeMarket;

beforeEach(() => {
  market = createMadeMarket();
  for (const nth of [1, 2, 3]) market.setBank(nth, {}, nth === 3 ? { tokenProgram: TOKEN_2022_PROGRAM } : {});
  market.setAccount([deposit(1, 1_000n), deposit(2, 1_000n)]);
});

async function plan(kind: LendingAction['kind'], nth: number, amount: bigint | 'all') {
  const state = await readMade(market, kind, nth);
  return planAction(state, { kind, bank: bankAddress(nth), amount }, WORDS);
}

/** What stands behind an instruction's named accounts. */
const remaining = ({ accounts = [] }: Instruction, named: number) =>
  accounts.slice(named).map(({ address }) => address);
const only = ({ action }: { readonly action: readonly Instruction[] }): Instruction => {
  expect(action).toHaveLength(1);
  return action[0] as Instruction;
};

const group = (nth: number): readonly Address[] => [bankAddress(nth), feedAddress(nth)];

describe('a planned action', () => {
  it('lists for a withdrawal what is still held, by the bytes of the banks', async () => {
    const instruction = only(await plan('withdraw', 1, 10n));
    expect(remaining(instruction, 8)).toEqual([...group(2), ...group(1)]);
    expect(decodeArguments(lendingAccountWithdraw, instruction.data as Uint8Array)).toEqual({
      amount: 10n,
      withdrawAll: null,
    });
  });

  it.each([
    ['is short', (made: MadeAccount) => ({ ...made, data: made.data.subarray(0, 100) })],
    ['is of another program', (made: MadeAccount) => ({ ...made, owner: MARGINFI_PROGRAM })],
  ])('is refused where the reserve behind a balance that counts %s', async (_what, change) => {
    setKaminoBank(market, 4);
    market.setAccount([deposit(1, 1_000n), deposit(4, 1_000n)]);
    const made = market.accounts.get(reserveAddress(4)) ?? expect.fail('No reserve');
    market.put(reserveAddress(4), change(made));
    const isUnavailable = { code: 'ACTION__BANK_UNAVAILABLE', context: { bank: bankAddress(4) } };
    await expect(plan('borrow', 2, 10n)).rejects.toMatchObject(isUnavailable);
  });

  it('leaves the bank out that a withdrawal empties', async () => {
    const instruction = only(await plan('withdraw', 2, 'all'));
    expect(remaining(instruction, 8)).toEqual(group(1));
    expect(decodeArguments(lendingAccountWithdraw, instruction.data as Uint8Array)).toEqual({
      amount: 0n,
      withdrawAll: true,
    });
  });

  it('has it at the end where the whole group is limited', async () => {
    const daily = { ...WINDOW, maxOutflow: 0n };
    const hourly = { ...WINDOW, maxOutflow: 1n };
    market.setGroup((made) => ({ ...made, rateLimiter: { hourly, daily } }));
    expect(remaining(only(await plan('withdraw', 2, 'all')), 8)).toEqual([...group(1), ...group(2)]);
  });

  it('lists for a loan the bank it is from, behind the mint of Token-2022', async () => {
    const instruction = only(await plan('borrow', 3, 10n));
    expect(remaining(instruction, 8)).toEqual([mintAddress(3), ...group(3), ...group(2), ...group(1)]);
    expect(decodeArguments(lendingAccountBorrow, instruction.data as Uint8Array)).toEqual({ amount: 10n });
    expect(instruction.accounts?.slice(8).every(({ role }) => role === AccountRole.READONLY)).toBe(true);
  });

  it('repays all without naming an amount, and lists nothing', async () => {
    market.setAccount([deposit(1, 1_000n), debt(2, 500n)]);
    const instruction = only(await plan('repay', 2, 'all'));
    expect(remaining(instruction, 7)).toEqual([]);
    expect(decodeArguments(lendingAccountRepay, instruction.data as Uint8Array)).toEqual({
      amount: 0n,
      repayAll: true,
    });
  });

  it('opens an account before anything else where there is none, and says what that costs', async () => {
    market.accounts.delete(ACCOUNT);
    const { setup, action, rent, watch } = await plan('deposit', 1, 10n);
    expect(setup.map(({ programAddress }) => programAddress)).toEqual([MARGINFI_PROGRAM]);
    const opened = setup[0]?.accounts?.[1]?.address as Address;
    expect(only({ action }).accounts?.[1]?.address).toBe(opened);
    expect(rent).toEqual([{ address: opened, lamports: (128n + 2_312n) * 6_960n }]);
    expect(watch).toContain(opened);
  });

  it('creates a token account only where tokens arrive in one that is missing', async () => {
    const [tokens] = await findAssociatedTokenAccount(WALLET, mintAddress(1));
    expect((await plan('deposit', 1, 10n)).setup).toEqual([]);
    const missing = await plan('withdraw', 1, 10n);
    expect(missing.setup).toHaveLength(1);
    expect(missing.rent).toEqual([{ address: tokens, lamports: (128n + 165n) * 6_960n }]);
    await market.setTokens(mintAddress(1), 0n);
    expect((await plan('withdraw', 1, 10n)).setup).toEqual([]);
  });

  it('pays into a new account only what somebody else has not sent there', async () => {
    const [tokens] = await findAssociatedTokenAccount(WALLET, mintAddress(1));
    market.setLamports(1_000_000n, tokens);
    const { setup, rent } = await plan('withdraw', 1, 10n);
    expect(setup).toHaveLength(1);
    expect(rent).toEqual([{ address: tokens, lamports: (128n + 165n) * 6_960n - 1_000_000n }]);
    market.setLamports(5_000_000n, tokens);
    expect((await plan('withdraw', 1, 10n)).rent).toEqual([{ address: tokens, lamports: 0n }]);
  });

  it('watches all that it writes, each once, and what pays for it', async () => {
    const { watch } = await plan('borrow', 3, 10n);
    expect(new Set(watch).size).toBe(watch.length);
    expect(watch).toEqual(expect.arrayContaining([ACCOUNT, WALLET, bankAddress(3)]));
    expect(watch).not.toContain(bankAddress(1));
  });
});

describe('the pulse behind an action', () => {
  const pulsed = ({ pulse }: Awaited<ReturnType<typeof plan>>) =>
    pulse === null ? null : pulse.instruction.accounts?.map(({ address }) => address);

  beforeEach(() => {
    market.setBank(2, charging);
    market.setAccount([deposit(1, 1_000n), debt(2, 500n)]);
  });

  it('sets premiums after a deposit and a repayment, by all balances that there are then', async () => {
    const both = [ACCOUNT, GROUP, ...group(2), ...group(1)];
    expect(pulsed(await plan('deposit', 1, 10n))).toEqual(both);
    expect(pulsed(await plan('repay', 2, 10n))).toEqual(both);
    expect(pulsed(await plan('deposit', 3, 10n))).toEqual([ACCOUNT, GROUP, ...group(3), ...group(2), ...group(1)]);
    const { pulse, watch } = await plan('deposit', 1, 10n);
    expect(pulse?.instruction.data).toEqual(lendingAccountPulseHealth.discriminator);
    expect(watch).toContain(ACCOUNT);
  });

  it('leaves the bank out that a repayment empties, and sets nothing where no such debt is left', async () => {
    expect(await plan('repay', 2, 'all')).toMatchObject({ pulse: null });
    market.setBank(3, charging);
    market.setAccount([deposit(1, 1_000n), debt(2, 500n), debt(3, 500n)]);
    expect(pulsed(await plan('repay', 2, 'all'))).toEqual([ACCOUNT, GROUP, ...group(3), ...group(1)]);
  });

  it('is none where no debt bears a premium, of what sets it itself, and before 0.1.12', async () => {
    for (const [kind, nth] of [
      ['withdraw', 1],
      ['borrow', 2],
    ] as const) {
      expect(await plan(kind, nth, 10n)).toMatchObject({ pulse: null });
    }
    const state = await readMade(market, 'deposit', 1);
    const action = { kind: 'deposit', bank: bankAddress(1), amount: 10n } as const;
    expect(await planAction({ ...state, version: '0.1.10' }, action, WORDS)).toMatchObject({ pulse: null });
    market.setBank(2);
    expect(await plan('deposit', 1, 10n)).toMatchObject({ pulse: null });
  });

  it('is none where it would have Save refresh more than the action does: Save fails on an old price', async () => {
    const reserve = madeAddress(5_003);
    market.setBank(3, { integrationAcc1: reserve, config: { assetTag: ASSET_TAG.solend, oracleSetup: 11 } });
    market.put(reserve, { owner: SOLEND_PROGRAM, data: new Uint8Array(solendReserveLayout.fixedSize).with(0, 1) });
    market.setAccount([deposit(1, 1_000n), debt(2, 500n), deposit(3, 1_000n)]);
    expect(await plan('repay', 2, 10n)).toMatchObject({ pulse: null });
    expect(await plan('deposit', 1, 10n)).toMatchObject({ pulse: null });
    const state = await readMade(market, 'deposit', 3);
    const atSave = { kind: 'deposit', bank: bankAddress(3), amount: 10n } as const;
    expect([needsPulse(state, atSave), takesPulse(state, atSave)]).toEqual([true, true]);
    const atP0 = { ...atSave, bank: bankAddress(1) };
    expect([needsPulse(state, atP0), takesPulse(state, atP0)]).toEqual([true, false]);
  });
});

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

/** A mint with empty extensions of these types. */
function mintWith(...types: readonly number[]): Uint8Array {
  const headers = types.flatMap((type) => [type, 0, 0, 0]);
  return Uint8Array.of(...new Uint8Array(165), 1, ...headers);
}

describe('the size of an associated token account', () => {
  it('is that of a token account on the old program, whatever the mint', () => {
    expect(tokenAccountSize(TOKEN_PROGRAM, mintWith(1))).toBe(165);
  });

  it.each([
    ['nothing', [], 170],
    ['metadata', [18, 19], 170],
    ['a transfer fee', [18, 1, 19], 182],
    ['a hook', [14], 175],
    ['a fee, a hook and a pause', [26, 1, 14], 191],
  ] as const)('has on Token-2022 what a mint with %s makes it carry', (_, types, size) => {
    expect(tokenAccountSize(TOKEN_2022_PROGRAM, mintWith(...types))).toBe(size);
  });
});

describe('action label', () => {
  const bank = madeAddress(1);
  const WORDS = { symbol: 'SOL', venue: 'P0' };

  it.each([
    ['deposit', 1_500_000_000n, 'Deposit 1.5 SOL into P0'],
    ['withdraw', 20_000_000_000n, 'Withdraw 20 SOL from P0'],
    ['borrow', 1n, 'Borrow 0.000000001 SOL from P0'],
    ['repay', 'all', 'Repay all SOL to P0'],
  ] as const)('words a %s of %s as a person would', (kind, amount, label) => {
    expect(actionLabel({ kind, bank, amount }, 9, WORDS)).toBe(label);
  });

  it('leaves the zeros of a token without decimals alone', () => {
    expect(actionLabel({ kind: 'deposit', bank, amount: 100n }, 0, WORDS)).toBe('Deposit 100 SOL into P0');
  });
});

describe('leverage label', () => {
  const WORDS = { deposit: { symbol: 'SOL', venue: 'Kamino' }, borrow: { symbol: 'USDC', venue: 'P0' } };

  it.each([
    [
      madeLoop(1, 2, { principal: 1_500_000n, leverage: { numerator: 13n, denominator: 4n } }),
      'Loop 1.5 SOL at 3.25x into Kamino, borrowing USDC from P0',
    ],
    [
      madeLoop(1, 2, { principal: 2_000_000n, leverage: { numerator: 2_000_001n, denominator: 1_000_000n } }),
      'Loop 2 SOL at 2.000001x into Kamino, borrowing USDC from P0',
    ],
    [madeClose(1, 2), 'Repay all USDC to P0 with SOL from Kamino'],
    [madeClose(1, 2, { repay: 20_000_000n }), 'Repay 20 USDC to P0 with SOL from Kamino'],
  ])('words a loop and a close as a person would', async (action, label) => {
    const market = createMadeMarket();
    for (const nth of [1, 2]) market.setBank(nth);
    market.setAccount([deposit(1, 1n)]);
    expect(leverageLabel(await readMadePair(market, 1, 2), action, WORDS)).toBe(label);
  });
});
