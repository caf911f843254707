import type { LeverageRequest } from '@lending/api';
import { DEMO_TOKENS, type DemoTokenName } from '@lending/localnet';
import { MARGINFI_MAIN_LOOKUP_TABLES } from '@lending/programs';
import type { Simulator } from '@lending/transactions';
import type { P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDice } from '../src/builders/dice.ts';
import { editTerms } from '../src/builders/edit-chain.ts';
import { looksUp } from '../src/builders/looks-up.ts';
import { fund, makeAccount } from '../src/builders/made-wallet.ts';
import { readAccount } from '../src/builders/promise.ts';
import { askClose } from '../src/leverage/ask-leverage.ts';
import { type LeverageAttempt, landLeverage, refuseLeverage } from '../src/leverage/attempt-leverage.ts';
import { type LeverageWorld, openLeverageWorld } from '../src/leverage/leverage-world.ts';

const SOL = 1_000_000_000n;
const PAUSED = 0;

/** What a refusal answers as `details.calls`. */
interface CloseCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly deposit_symbol: string;
  readonly borrow_symbol: string;
}

const dice = createDice('leverage closes of all debts');
let world: LeverageWorld;

beforeAll(async () => {
  world = await openLeverageWorld();
});
afterAll(async () => {
  await world?.stop();
});

describe('[leverage-close] closes of all debts', () => {
  it.each([
    [
      'two debts',
      bank('SOL'),
      [
        ['USDC', 300],
        ['USDT', 200],
      ],
    ],
    [
      'three, one of them in Token-2022',
      bank('SOL'),
      [
        ['USDC', 300],
        ['PYUSD', 100],
        ['USDT', 200],
      ],
    ],
    [
      'debts of collateral at a venue',
      bank('SOL', 'kamino'),
      [
        ['USDC', 300],
        ['USDT', 200],
      ],
    ],
    [
      'debts of which one is in the token of the collateral',
      bank('USDC', 'kamino'),
      [
        ['USDT', 300],
        ['USDC', 200],
      ],
    ],
    [
      'debts in an e-mode',
      bank('JitoSOL'),
      [
        ['SOL', 400],
        ['USDC', 100],
      ],
    ],
    [
      'a debt of dust beside another',
      bank('SOL'),
      [
        ['USDC', 300],
        ['USDT', 0],
      ],
    ],
  ] as const)('repays %s in one bundle, the action last', async (_what, collateral, debts) => {
    const { wallet, request, account, sorted } = await position(collateral(), 1_500, debts);
    const [last] = sorted.slice(-1);
    if (last === undefined) throw new TypeError('There is no debt');
    const attempt = { aim: 'all', wallet, pair: { deposit: collateral(), borrow: last }, request };
    const { build } = await landLeverage(world, attempt);
    expect(build.submit).toBe('bundle');
    expect(build.actionIndex).toBe(build.transactions.length - 1);
    expect(build.transactions.filter(({ type }) => type === 'CLOSE_POSITION')).toHaveLength(debts.length);
    expect(build.fees.tip).toBeGreaterThan(0n);
    expect(build.position?.earlierBorrowBanks).toEqual(sorted.slice(0, -1).map(({ address }) => address));
    expect(build.postHealth.health.ratio).toBeNull();
    expect(build.warnings.map(({ code }) => code)).not.toContain('DEBT_LEFT');
    expect(owedIn(account)).toEqual([]);
    // What the swaps give beyond the debts arrives in accounts that the wallet did not have.
    const swapped = [...build.earlierSwaps, ...(build.swap === null ? [] : [build.swap])];
    for (const { outMint, quote } of swapped) {
      const change = build.tokenChanges.find(({ mint, isNativeSol }) => mint === outMint && !isNativeSol);
      if (outMint !== DEMO_TOKENS.SOL.mint) expect(change?.deltaBase ?? 0n).toBeLessThan(quote.outBase);
    }
  });

  it('drafts all of them once more where the lookups of an earlier one fail', async () => {
    const { wallet, request, account, sorted } = await position(bank('SOL')(), 1_500, [
      ['USDC', 300],
      ['USDT', 200],
    ]);
    const [table] = MARGINFI_MAIN_LOOKUP_TABLES as [Address];
    let failed = 0;
    const simulator: Simulator = {
      async simulate(transactions, watch, options) {
        const closes = transactions.filter(({ type }) => type === 'CLOSE_POSITION');
        if (closes.length < 2 || !looksUp(closes.slice(0, 1), table)) {
          return world.deps.simulator.simulate(transactions, watch, options);
        }
        failed += 1;
        const [slot, reason] = [world.ledger.slot('confirmed'), 'AddressLookupTableNotFound'];
        return { kind: 'failed', slot, index: 0, transactions: [], error: null, reason, logs: [], by: 'node' };
      },
    };
    const pair = { deposit: bank('SOL')(), borrow: sorted.at(-1) as P0Bank };
    const attempt = { aim: 'lookups of the first', wallet, pair, request, deps: { simulator } };
    const { build } = await landLeverage(world, attempt);
    expect([failed, looksUp(build.transactions, table), owedIn(account)]).toEqual([2, false, []]);
    expect(world.deps.banks.findTable(table)).not.toEqual([]);
  });

  it('repays one debt where it is named, and says that others are left', async () => {
    const { wallet, request, account, sorted } = await position(bank('SOL')(), 1_500, [
      ['USDC', 300],
      ['USDT', 200],
    ]);
    const [first, other] = sorted as [P0Bank, P0Bank];
    const named = { ...request, borrowBank: first.address };
    const { build } = await landLeverage(world, {
      ...{ aim: 'one of two', wallet, pair: { deposit: bank('SOL')(), borrow: first }, request: named },
    });
    expect(build.warnings.map(({ code }) => code)).toContain('DEBT_LEFT');
    expect(owedIn(account)).toEqual([other.address]);
  });

  it('names the calls where one may not repay so much, and they leave no debt', async () => {
    const { wallet, request, account, sorted } = await position(bank('SOL')(), 1_500_000, [
      ['USDC', 400_000],
      ['USDT', 100_000],
    ]);
    const [first, second] = sorted as [P0Bank, P0Bank];
    const attempt = { aim: 'too much', wallet, pair: { deposit: bank('SOL')(), borrow: first }, request };
    const refused = await refuseLeverage(world, attempt);
    expect(refused).toMatchObject({ code: 'REPAY_LIMIT_EXCEEDED', details: { cap_usd: 250_000 } });
    const calls = refused.details.calls as readonly CloseCall[];
    expect(calls.map(({ args, borrow_symbol: symbol }) => [args.borrow_bank, args.repay_all ?? false, symbol])).toEqual(
      [
        [first.address, false, 'USDC'],
        [first.address, true, 'USDC'],
        [second.address, true, 'USDT'],
      ],
    );
    await makeCalls(attempt, calls);
    expect(owedIn(account)).toEqual([]);
  });

  it('names the calls of a single debt above that, too', async () => {
    const { wallet, request, account } = await position(bank('SOL')(), 2_500_000, [['USDC', 700_000]]);
    const attempt = { aim: 'one debt', wallet, pair: { deposit: bank('SOL')(), borrow: bank('USDC')() }, request };
    const refused = await refuseLeverage(world, attempt);
    expect(refused.code).toBe('REPAY_LIMIT_EXCEEDED');
    const calls = refused.details.calls as readonly CloseCall[];
    expect(calls).toHaveLength(3);
    await makeCalls(attempt, calls);
    expect(owedIn(account)).toEqual([]);
  });

  it('names the calls of more debts than a bundle has transactions, and they leave no debt', async () => {
    const names = ['USDC', 'USDT', 'PYUSD', 'JitoSOL', 'mSOL', 'INF'] as const;
    const debts = names.map((name, index) => [name, 160 - index * 10] as const);
    const { wallet, request, account } = await position(bank('SOL')(), 3_000, debts);
    const attempt = { aim: 'many', wallet, pair: { deposit: bank('SOL')(), borrow: bank('USDC')() }, request };
    const refused = await refuseLeverage(world, attempt);
    expect(refused).toMatchObject({ code: 'TX_TOO_LARGE', details: { transactions: 6, max_transactions: 5 } });
    const calls = refused.details.calls as readonly CloseCall[];
    expect(calls.map(({ args, borrow_symbol: symbol }) => [args.repay_all, symbol])).toEqual(
      names.map((name) => [true, name]),
    );
    await makeCalls(attempt, calls);
    expect(owedIn(account)).toEqual([]);
  });

  it('names no calls where the close of one debt alone does not fit', async () => {
    const others = world.banks.filter(
      ({ venue, operationalState, assetTag }) => venue === 'p0' && operationalState === 'Operational' && assetTag < 2,
    );
    const own = [bank('SOL')(), bank('USDC')(), bank('USDT')()];
    const { wallet, request } = await position(
      bank('SOL')(),
      1_500,
      [
        ['USDC', 300],
        ['USDT', 200],
      ],
      others.filter((each) => !own.includes(each)).slice(0, 12),
    );
    const pair = { deposit: bank('SOL')(), borrow: bank('USDC')() };
    const refused = await refuseLeverage(world, { aim: 'large', wallet, pair, request, deps: { lookupTables: [] } });
    expect(refused.code).toBe('TX_TOO_LARGE');
    expect(refused.details).not.toHaveProperty('calls');
    expect(refused.error.message).toContain('repay less at a time with `amount`, or choose a more liquid pair');
  });

  it('refuses all of them where the bank of one is paused, and names it', async () => {
    const { wallet, request, sorted } = await position(bank('SOL')(), 1_500, [
      ['USDC', 300],
      ['USDT', 200],
    ]);
    const [, paused] = sorted as [P0Bank, P0Bank];
    const restore = editTerms(world.ledger, paused.address, (config) => ({ ...config, operationalState: PAUSED }));
    const attempt = { aim: 'paused', wallet, pair: { deposit: bank('SOL')(), borrow: paused }, request };
    const refused = await refuseLeverage(world, attempt).finally(restore);
    expect(refused).toMatchObject({ code: 'BANK_PAUSED', details: { bank: paused.address } });
  });

  it('names collateral with a more liquid market where there is no swap', async () => {
    const [sol, other, debt] = [bank('SOL')(), bank('USDT')(), bank('USDC')()];
    const { wallet, request, account } = await position(sol, 1_000, [['USDC', 300]], [other]);
    const pairOf = (deposit: P0Bank, depthUsd: number) => ({
      deposit,
      borrow: debt,
      maxLeverageHundredths: 300n,
      depthUsd,
    });
    const tables = { ...world.deps.tables, listPairs: async () => [pairOf(sol, 1_000), pairOf(other, 9_000)] };
    const named = { ...request, depositBank: sol.address, account };
    for (const name of ['jupiter', 'dflow'] as const) world.localnet.setAggregatorFault(name, { kind: 'no_route' });
    const attempt = { aim: 'no route', wallet, pair: { deposit: sol, borrow: debt }, request: named, deps: { tables } };
    const refused = await refuseLeverage(world, attempt).finally(() => {
      for (const name of ['jupiter', 'dflow'] as const) world.localnet.setAggregatorFault(name, null);
    });
    expect(refused.code).toBe('SWAP_ROUTE_UNAVAILABLE');
    expect(refused.details.pairs).toMatchObject([{ deposit_bank: other.address, borrow_bank: debt.address }]);
    expect(refused.error.message).toContain('lower `amount`, or choose a more liquid pair; a more liquid pair is');
  });
});

/** The first bank of a token at a venue, once the chain is open. */
function bank(name: DemoTokenName, venue = 'p0'): () => P0Bank {
  return () => {
    const found = world.banks.find(
      (each) => each.mint === DEMO_TOKENS[name].mint && each.venue === venue && each.operationalState === 'Operational',
    );
    if (found === undefined) throw new TypeError(`The demo market has no ${name} bank at ${venue}`);
    return found;
  };
}

/** An account with so many dollars of collateral and these debts, the most valuable first as `sorted`; 0 is dust. */
async function position(
  deposit: P0Bank,
  usd: number,
  debts: readonly (readonly [DemoTokenName, number])[],
  others: readonly P0Bank[] = [],
) {
  const wallet = await dice.wallet();
  await fund(world.ledger, wallet, 5n * SOL);
  const owed = debts.map(([name, worth]) => ({
    bank: bank(name)(),
    side: 'liability' as const,
    usd: worth === 0 ? 0.000_01 : worth,
  }));
  const account = await makeAccount(world.ledger, wallet.address, [
    ...[deposit, ...others].map((each) => ({ bank: each, side: 'asset' as const, usd })),
    ...owed,
  ]);
  const sorted = owed.toSorted((one, other) => other.usd - one.usd).map((each) => each.bank);
  const pair = { deposit, borrow: deposit };
  const request: LeverageRequest = { ...askClose(wallet.address, pair, 'all'), borrowBank: null };
  return { wallet, account, sorted, request };
}

function owedIn(account: Address): readonly Address[] {
  const balances = readAccount(world.ledger, account)?.balances ?? [];
  return balances.filter(({ liabilityShares }) => liabilityShares > 0n).map((balance) => balance.bank);
}

/** Makes calls as they are named, one after the other. */
async function makeCalls(attempt: LeverageAttempt, calls: readonly CloseCall[]): Promise<void> {
  const { wallet, request, pair } = attempt;
  for (const { tool, args } of calls) {
    expect(tool).toBe('svc_close_position');
    const borrow = world.banks.find(({ address }) => address === args.borrow_bank);
    if (borrow === undefined) throw new TypeError('The call names no bank');
    const call: LeverageRequest = {
      ...request,
      account: args.account as Address,
      depositBank: args.deposit_bank as Address,
      borrowBank: borrow.address,
      amount: args.repay_all === true ? 'all' : String(args.amount),
    };
    await landLeverage(world, { ...attempt, aim: 'a call', wallet, pair: { ...pair, borrow }, request: call });
  }
}
