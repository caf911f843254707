import {
  ASSOCIATED_TOKEN_PROGRAM,
  decodeArguments,
  findAssociatedTokenAccount,
  JUPITER_PROGRAM,
  lendingAccountBorrow,
  lendingAccountDeposit,
  lendingAccountRepay,
  lendingAccountWithdraw,
  MARGINFI_PROGRAM,
  marginfiInstructionName,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@lending/programs';
import type { Address, Instruction } from '@solana/kit';
import { getTransferCheckedInstructionDataDecoder } from '@solana-program/token';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAssociatedAccount } from '#instructions/wallet/associated-account.ts';
import type { SizedLeverage } from '#leverage.ts';
import { reserveAddress, setKaminoBank } from '#testing/made-kamino.ts';
import {
  ACCOUNT,
  bankAddress,
  createMadeMarket,
  debt,
  deposit,
  feedAddress,
  type MadeMarket,
  madeAddress,
  mintAddress,
  WALLET,
} from '#testing/made-market.ts';
import { madeClose, madeLoop, madeRoute, readMadePair } from '#testing/made-pair.ts';
import type { ActionPlan } from './action-plan.ts';
import { planLeverage } from './plan-leverage.ts';

const WORDS = { deposit: { symbol: 'TOK', venue: 'P0' }, borrow: { symbol: 'USD', venue: 'P0' } };
const [LOOP, CLOSE] = [madeLoop, madeClose];
let market: MadeMarket;

beforeEach(async () => {
  market = createMadeMarket();
  for (const nth of [1, 2, 3]) market.setBank(nth, {}, nth === 3 ? { tokenProgram: TOKEN_2022_PROGRAM } : {});
  for (const nth of [4, 5]) setKaminoBank(market, nth);
  // The principal of the made loop, and nothing more.
  for (const nth of [1, 4, 5]) await market.setTokens(mintAddress(nth), 100n);
  await market.setTokens(mintAddress(2), 0n);
  market.setAccount([deposit(1, 1_000n), debt(2, 200n)]);
});

async function plan(sized: SizedLeverage): Promise<ActionPlan> {
  const [nth, mth] = [sized.depositBank, sized.borrowBank].map((bank) =>
    [1, 2, 3, 4, 5].find((each) => bankAddress(each) === bank),
  );
  return planLeverage(await readMadePair(market, nth as number, mth as number), sized, WORDS);
}

/** What the lending program is told, by name; all else by its program. */
const names = (instructions: readonly Instruction[]) =>
  instructions.map(({ programAddress, data }) =>
    programAddress === MARGINFI_PROGRAM ? marginfiInstructionName(Uint8Array.from(data ?? [])) : 'other',
  );
const listed = ({ accounts = [] }: Instruction, named: number) => accounts.slice(named).map(({ address }) => address);
const group = (nth: number): readonly Address[] => [bankAddress(nth), feedAddress(nth)];
const kaminoGroup = (nth: number): readonly Address[] => [...group(nth), reserveAddress(nth)];
const endOf = ({ action }: ActionPlan) => listed(action.at(-1) as Instruction, 3);
const argumentsOf = <T>(layout: Parameters<typeof decodeArguments<T>>[0], { action }: ActionPlan, nth: number) =>
  decodeArguments(layout, action[nth]?.data as Uint8Array);

describe('a planned loop', () => {
  it('borrows, swaps and deposits inside a flash loan, the loan with the list of what is held after it', async () => {
    const planned = await plan(LOOP(1, 2));
    expect(names(planned.action)).toEqual([
      'lending_account_start_flashloan',
      'lending_account_borrow',
      'other',
      'lending_account_deposit',
      'lending_account_end_flashloan',
    ]);
    const [, loan, , supply] = planned.action as readonly [Instruction, Instruction, Instruction, Instruction];
    expect(listed(loan, 8)).toEqual([...group(2), ...group(1)]);
    expect(listed(supply, 7)).toEqual([]);
    expect(argumentsOf(lendingAccountBorrow, planned, 1)).toEqual({ amount: 250n });
    expect(argumentsOf(lendingAccountDeposit, planned, 3)).toMatchObject({ amount: 300n });
    expect(planned).toMatchObject({ type: 'LOOP', setup: [], refresh: [], cleanup: [], rent: [], isSetupBound: true });
  });

  it('is judged by what is held and both banks, held or not', async () => {
    market.setAccount([deposit(3, 10n)]);
    expect(endOf(await plan(LOOP(4, 2)))).toEqual([...kaminoGroup(4), ...group(3), ...group(2)]);
    market.accounts.delete(ACCOUNT);
    expect(endOf(await plan(LOOP(1, 3)))).toEqual([...group(3), ...group(1)]);
  });

  it('refreshes the venue it deposits at and those of all that is held', async () => {
    market.setAccount([deposit(5, 10n), debt(2, 1n)]);
    const written = ({ refresh }: ActionPlan) =>
      refresh.flatMap(({ accounts = [] }) => accounts.map(({ address }) => address));
    expect(written(await plan(LOOP(4, 2)))).toEqual(expect.arrayContaining([reserveAddress(4), reserveAddress(5)]));
    const native = written(await plan(LOOP(1, 2)));
    expect(native).toContain(reserveAddress(5));
    expect(native).not.toContain(reserveAddress(4));
  });

  it('opens the account and creates the token accounts that are missing, and says what that costs', async () => {
    market.accounts.delete(ACCOUNT);
    const { setup, rent, action, cleanup } = await plan(LOOP(3, 2));
    expect(names(setup)).toEqual(['marginfi_account_initialize_pda', 'other']);
    const opened = setup[0]?.accounts?.[1]?.address;
    expect(action.at(-1)?.accounts?.[0]?.address).toBe(opened);
    expect(rent.map(({ lamports }) => lamports)).toEqual([(128n + 2_312n) * 6_960n, (128n + 170n) * 6_960n]);
    expect(cleanup).toEqual([]);
  });

  it('makes the token accounts that the swap passes through, and says what they cost at the most', async () => {
    const [passed, wide] = [madeAddress(77), madeAddress(78)];
    const setup = [
      createAssociatedAccount(WALLET, passed, { owner: WALLET, mint: madeAddress(87), tokenProgram: TOKEN_PROGRAM }),
      createAssociatedAccount(WALLET, wide, { owner: WALLET, mint: madeAddress(88), tokenProgram: TOKEN_2022_PROGRAM }),
    ];
    const planned = await plan(LOOP(1, 2, { swap: { ...madeRoute(250n, 200n), setup } }));
    expect(planned.setup).toEqual(setup);
    expect(planned.rent).toEqual([
      { address: passed, lamports: (128n + 165n) * 6_960n },
      { address: wide, lamports: (128n + 195n) * 6_960n },
    ]);
  });

  it('watches all that it writes, each once', async () => {
    const { watch } = await plan(LOOP(4, 2));
    expect(new Set(watch).size).toBe(watch.length);
    expect(watch).toEqual(expect.arrayContaining([ACCOUNT, WALLET, bankAddress(4), bankAddress(2), reserveAddress(4)]));
  });
});

describe('a loop with wrapped SOL', () => {
  const programs = (instructions: readonly Instruction[]) => instructions.map(({ programAddress }) => programAddress);

  beforeEach(() => {
    market.setBank(1, {}, { mint: WRAPPED_SOL_MINT });
  });

  it('wraps the principal into an account that it closes again', async () => {
    const { setup, cleanup, rent } = await plan(LOOP(1, 2));
    expect(programs(setup)).toEqual([ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM]);
    expect(programs(cleanup)).toEqual([TOKEN_PROGRAM]);
    expect(rent).toEqual([]);
  });

  it('takes what was wrapped first, and leaves the account where it was', async () => {
    await market.setTokens(WRAPPED_SOL_MINT, 40n);
    const { setup, cleanup } = await plan(LOOP(1, 2));
    expect(setup).toHaveLength(2);
    expect(setup[0]?.data?.slice(4)).toEqual(Uint8Array.of(60, 0, 0, 0, 0, 0, 0, 0));
    expect(cleanup).toEqual([]);
    await market.setTokens(WRAPPED_SOL_MINT, 100n);
    expect((await plan(LOOP(1, 2))).setup).toEqual([]);
  });
});

describe('a planned close', () => {
  it('withdraws, swaps and repays inside a flash loan', async () => {
    const planned = await plan(CLOSE(1, 2));
    expect(names(planned.action)).toEqual([
      'lending_account_start_flashloan',
      'lending_account_withdraw',
      'other',
      'lending_account_repay',
      'lending_account_end_flashloan',
    ]);
    expect(listed(planned.action[1] as Instruction, 8)).toEqual([...group(2), ...group(1)]);
    expect(argumentsOf(lendingAccountWithdraw, planned, 1)).toEqual({ amount: 250n, withdrawAll: null });
    expect(argumentsOf(lendingAccountRepay, planned, 3)).toEqual({ amount: 0n, repayAll: true });
    expect(planned).toMatchObject({ type: 'CLOSE_POSITION', label: 'Repay all USD to P0 with TOK from P0' });
  });

  it('is judged by what is still active', async () => {
    expect(endOf(await plan(CLOSE(1, 2)))).toEqual(group(1));
    expect(endOf(await plan(CLOSE(1, 2, { withdraw: 'all' })))).toEqual([]);
    expect(endOf(await plan(CLOSE(1, 2, { repay: 50n })))).toEqual([...group(2), ...group(1)]);
    expect(endOf(await plan(CLOSE(1, 2, { repay: 50n, withdraw: 'all' })))).toEqual(group(2));
  });

  it('leaves a bank out where its receipts are just enough, as the program does', async () => {
    market.setAccount([deposit(4, 1_000n), debt(2, 200n)]);
    expect(endOf(await plan(CLOSE(4, 2, { withdraw: 1n })))).toEqual(kaminoGroup(4));
    market.setAccount([deposit(4, 1n), debt(2, 200n)]);
    expect(endOf(await plan(CLOSE(4, 2, { withdraw: 1n })))).toEqual([]);
  });

  it('deposits the surplus once nothing is owed, and is judged by it', async () => {
    const planned = await plan(CLOSE(1, 2, { withdraw: 'all', redeposit: 7n, surplus: 'redeposit' }));
    expect(names(planned.action).slice(-2)).toEqual(['lending_account_deposit', 'lending_account_end_flashloan']);
    expect(argumentsOf(lendingAccountDeposit, planned, 4)).toMatchObject({ amount: 7n });
    expect(endOf(planned)).toEqual(group(2));
  });

  it('lists what is held after the withdrawal, and the price of what it closes where the whole group is limited', async () => {
    const withdrawal = async (sized: SizedLeverage) => listed((await plan(sized)).action[1] as Instruction, 8);
    expect(await withdrawal(CLOSE(1, 2, { withdraw: 'all' }))).toEqual(group(2));
    const window = { windowDuration: 3_600n, windowStart: 0n, prevWindowOutflow: 0n, curWindowOutflow: 0n };
    const rateLimiter = { hourly: { ...window, maxOutflow: 1n }, daily: { ...window, maxOutflow: 0n } };
    market.setGroup((made) => ({ ...made, rateLimiter }));
    expect(await withdrawal(CLOSE(1, 2))).toEqual([...group(2), ...group(1)]);
    expect(await withdrawal(CLOSE(1, 2, { withdraw: 'all' }))).toEqual([...group(2), ...group(1)]);
  });

  it('refreshes other venues only while something is owed', async () => {
    market.setAccount([deposit(1, 1_000n), deposit(4, 5n), debt(2, 200n)]);
    expect((await plan(CLOSE(1, 2))).refresh).toEqual([]);
    expect((await plan(CLOSE(1, 2, { repay: 50n }))).refresh).toHaveLength(1);
    market.setAccount([deposit(1, 1_000n), deposit(4, 5n), debt(2, 200n), debt(3, 200n)]);
    expect((await plan(CLOSE(1, 2))).refresh).toHaveLength(1);
  });

  it('creates accounts of both mints where they are missing, and closes the one of wrapped SOL', async () => {
    market.setBank(1, {}, { mint: WRAPPED_SOL_MINT });
    const sol = await plan(CLOSE(1, 2));
    expect([sol.setup.length, sol.cleanup.length, sol.rent.length]).toEqual([1, 1, 0]);
    market.setAccount([deposit(1, 1_000n), debt(3, 200n)]);
    const both = await plan(CLOSE(1, 3));
    expect([both.setup.length, both.cleanup.length, both.rent.length]).toEqual([2, 1, 1]);
  });
});

describe('a swap whose instruction names no minimum that can be read', () => {
  const guards = ({ action }: ActionPlan) => action.filter(({ programAddress }) => programAddress === TOKEN_PROGRAM);

  it.each([
    ['loop', () => LOOP(1, 2), 1],
    ['close', () => CLOSE(1, 2), 2],
  ])('is held to it in a %s where the wallet’s own tokens would do instead', async (_, sized, bought) => {
    expect(guards(await plan(sized()))).toEqual([]);
    await market.setTokens(mintAddress(bought), 101n);
    const planned = await plan(sized());
    const guard = guards(planned)[0] as Instruction;
    expect(planned.action.indexOf(guard)).toBe(3);
    const [account] = await findAssociatedTokenAccount(WALLET, mintAddress(bought));
    expect(listed(guard, 0)).toEqual([account, mintAddress(bought), account, WALLET]);
    // What was there, and what the swap gives at the least.
    expect(getTransferCheckedInstructionDataDecoder().decode(guard.data as Uint8Array)).toMatchObject({ amount: 301n });
  });

  it('needs no hold where it names its minimum, or where nothing is swapped', async () => {
    await market.setTokens(mintAddress(1), 1_000n);
    const route = madeRoute(250n, 200n, 8);
    const data = Uint8Array.of(187, 100, 250, 204, 49, 196, 175, 20, ...new Uint8Array(24));
    const swap = [{ ...route.swap[0], programAddress: JUPITER_PROGRAM, data } as Instruction];
    expect(guards(await plan(LOOP(1, 2)))).toHaveLength(1);
    expect(guards(await plan(LOOP(1, 2, { swap: { ...route, swap } })))).toEqual([]);
    expect(guards(await plan(LOOP(1, 2, { swap: null })))).toEqual([]);
  });
});
