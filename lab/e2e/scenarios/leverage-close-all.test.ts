import type { LeverageRequest } from '@lending/api';
import { DEMO_TOKENS, type DemoTokenName } from '@lending/localnet';
import { MARGINFI_MAIN_LOOKUP_TABLES } from '@lending/programs';
import type { Simulator } from '@lending/transactions';
import type { P0Bank } from '@lending/venues';
import type { Address, KeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { asset, debt } from '../src/builders/accounts.ts';
import { askClose } from '../src/builders/ask.ts';
import { type Refused, refuse } from '../src/builders/attempt.ts';
import { editTerms } from '../src/builders/chain-edits.ts';
import { land } from '../src/builders/justify.ts';
import { looksUp } from '../src/builders/land-build.ts';
import { readAccount } from '../src/builders/ledger-tables.ts';
import { findBank } from '../src/builders/pairs.ts';
import { isOpen, SOL, useScene } from '../src/builders/scene.ts';

const PAUSED = 0;
type Debts = readonly (readonly [DemoTokenName, number])[];
const TWO: Debts = [
  ['USDC', 300],
  ['USDT', 200],
];

/** What a refusal answers as `details.calls`. */
interface CloseCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly borrow_symbol: string;
}

const scene = useScene('leverage closes of all debts', land);
const bank = (name: DemoTokenName, venue: 'p0' | 'kamino' = 'p0') => findBank(scene.world, name, venue);

describe('[leverage-close] closes of all debts', () => {
  it.each<{ what: string; token: DemoTokenName; venue?: 'kamino'; debts: Debts }>([
    { what: 'two debts', token: 'SOL', debts: TWO },
    { what: 'three, one of them in Token-2022', token: 'SOL', debts: [...TWO, ['PYUSD', 100]] },
    { what: 'debts of collateral at a venue', token: 'SOL', venue: 'kamino', debts: TWO },
    {
      what: 'debts of which one is in the token of the collateral',
      token: 'USDC',
      venue: 'kamino',
      debts: [
        ['USDT', 300],
        ['USDC', 200],
      ],
    },
    {
      what: 'debts in an e-mode',
      token: 'JitoSOL',
      debts: [
        ['SOL', 400],
        ['USDC', 100],
      ],
    },
    {
      what: 'a debt of dust beside another',
      token: 'SOL',
      debts: [
        ['USDC', 300],
        ['USDT', 0],
      ],
    },
  ])('repays $what in one bundle, the action last', async ({ token, venue, debts }) => {
    const deposit = bank(token, venue);
    const { wallet, request, account, sorted } = await position(debts, { deposit });
    const pair = { deposit, borrow: sorted.at(-1) as P0Bank };
    const { build } = await scene.attempt({ aim: 'all', wallet, pair, request });
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
    const { wallet, request, account, sorted } = await position(TWO);
    const { ledger, deps } = scene.world;
    const [table] = MARGINFI_MAIN_LOOKUP_TABLES as [Address];
    let failed = 0;
    const simulator: Simulator = {
      async simulate(transactions, watch, options) {
        const closes = transactions.filter(({ type }) => type === 'CLOSE_POSITION');
        if (closes.length < 2 || !looksUp(closes.slice(0, 1), table))
          return deps.simulator.simulate(transactions, watch, options);
        failed += 1;
        const [slot, reason] = [ledger.slot('confirmed'), 'AddressLookupTableNotFound'];
        return { kind: 'failed', slot, index: 0, transactions: [], error: null, reason, logs: [], by: 'node' };
      },
    };
    const pair = { deposit: bank('SOL'), borrow: sorted.at(-1) as P0Bank };
    const { build } = await scene.attempt({ wallet, pair, request, deps: { simulator } });
    expect([failed, looksUp(build.transactions, table), owedIn(account)]).toEqual([2, false, []]);
    expect(deps.banks.findTable(table)).not.toEqual([]);
  });

  it('repays one debt where it is named, and says that others are left', async () => {
    const { wallet, account, sorted } = await position(TWO);
    const [first, other] = sorted as [P0Bank, P0Bank];
    const { build } = await scene.close(wallet, { deposit: bank('SOL'), borrow: first }, 'all');
    expect(build.warnings.map(({ code }) => code)).toContain('DEBT_LEFT');
    expect(owedIn(account)).toEqual([other.address]);
  });

  it('names the calls where one may not repay so much, and they leave no debt', async () => {
    const { refused, account, sorted, makeCalls } = await refusedAll(
      [
        ['USDC', 400_000],
        ['USDT', 100_000],
      ],
      1_500_000,
    );
    expect(refused).toMatchObject({ code: 'REPAY_LIMIT_EXCEEDED', details: { cap_usd: 250_000 } });
    const [first, second] = sorted as [P0Bank, P0Bank];
    const calls = callsOf(refused);
    expect(calls.map(({ args, borrow_symbol: symbol }) => [args.borrow_bank, args.repay_all ?? false, symbol])).toEqual(
      [
        [first.address, false, 'USDC'],
        [first.address, true, 'USDC'],
        [second.address, true, 'USDT'],
      ],
    );
    await makeCalls(calls);
    expect(owedIn(account)).toEqual([]);
  });

  it('names the calls of a single debt above that, too', async () => {
    const { refused, account, makeCalls } = await refusedAll([['USDC', 700_000]], 2_500_000);
    expect(refused.code).toBe('REPAY_LIMIT_EXCEEDED');
    const calls = callsOf(refused);
    expect(calls).toHaveLength(3);
    await makeCalls(calls);
    expect(owedIn(account)).toEqual([]);
  });

  it('names the calls of more debts than a bundle has transactions, and they leave no debt', async () => {
    const names = ['USDC', 'USDT', 'PYUSD', 'JitoSOL', 'mSOL', 'INF'] as const;
    const debts = names.map((name, index) => [name, 160 - index * 10] as const);
    const { refused, account, makeCalls } = await refusedAll(debts, 3_000);
    expect(refused).toMatchObject({ code: 'TX_TOO_LARGE', details: { transactions: 6, max_transactions: 5 } });
    const calls = callsOf(refused);
    const named = calls.map(({ args, borrow_symbol: symbol }) => [args.repay_all, symbol]);
    expect(named).toEqual(names.map((name) => [true, name]));
    await makeCalls(calls);
    expect(owedIn(account)).toEqual([]);
  });

  it('names no calls where the close of one debt alone does not fit', async () => {
    const own = [bank('SOL'), bank('USDC'), bank('USDT')];
    const others = scene.world.banks.filter(
      (each) => each.venue === 'p0' && isOpen(each) && each.assetTag < 2 && !own.includes(each),
    );
    const { wallet, request } = await position(TWO, { others: others.slice(0, 12) });
    const pair = { deposit: bank('SOL'), borrow: bank('USDC') };
    const refused = await refuse(scene.world, { wallet, pair, request, deps: { lookupTables: [] } });
    expect(refused.code).toBe('TX_TOO_LARGE');
    expect(refused.details).not.toHaveProperty('calls');
    expect(refused.error.message).toContain('repay less at a time with `amount`, or choose a more liquid pair');
  });

  it('refuses all of them where the bank of one is paused, and names it', async () => {
    const { wallet, request, sorted } = await position(TWO);
    const [, paused] = sorted as [P0Bank, P0Bank];
    const restore = editTerms(scene.ledger, paused.address, (config) => ({ ...config, operationalState: PAUSED }));
    const pair = { deposit: bank('SOL'), borrow: paused };
    const refused = await refuse(scene.world, { wallet, pair, request }).finally(restore);
    expect(refused).toMatchObject({ code: 'BANK_PAUSED', details: { bank: paused.address } });
  });

  it('names collateral with a more liquid market where there is no swap', async () => {
    const { localnet, deps } = scene.world;
    const [sol, other, owed] = [bank('SOL'), bank('USDT'), bank('USDC')];
    const { wallet, request, account } = await position([['USDC', 300]], { usd: 1_000, others: [other] });
    const pairOf = (deposit: P0Bank, depthUsd: number) => {
      return { deposit, borrow: owed, maxLeverageHundredths: 300n, depthUsd };
    };
    const tables = { ...deps.tables, listPairs: async () => [pairOf(sol, 1_000), pairOf(other, 9_000)] };
    const setFaults = (fault: { readonly kind: 'no_route' } | null) => {
      for (const name of ['jupiter', 'dflow'] as const) localnet.setAggregatorFault(name, fault);
    };
    setFaults({ kind: 'no_route' });
    const named = { ...request, depositBank: sol.address, account };
    const attempt = { wallet, pair: { deposit: sol, borrow: owed }, request: named, deps: { tables } };
    const refused = await refuse(scene.world, attempt).finally(() => setFaults(null));
    expect(refused.code).toBe('SWAP_ROUTE_UNAVAILABLE');
    expect(refused.details.pairs).toMatchObject([{ deposit_bank: other.address, borrow_bank: owed.address }]);
    expect(refused.error.message).toContain('lower `amount`, or choose a more liquid pair; a more liquid pair is');
  });
});

interface Terms {
  /** Default: P0's own SOL. */
  readonly deposit?: P0Bank;
  readonly usd?: number;
  readonly others?: readonly P0Bank[];
}

/** An account with so many dollars of collateral and these debts, the most valuable first as `sorted`; 0 is dust. */
async function position(debts: Debts, { deposit = bank('SOL'), usd = 1_500, others = [] }: Terms = {}) {
  const wallet = await scene.walletWith(5n * SOL);
  const owed = debts.map(([name, worth]) => debt(bank(name), worth === 0 ? 0.000_01 : worth));
  const account = await scene.account(wallet, [...[deposit, ...others].map((each) => asset(each, usd)), ...owed]);
  const sorted = owed.toSorted((one, other) => other.usd - one.usd).map((each) => each.bank);
  const all = askClose(wallet.address, { deposit, borrow: deposit }, 'all');
  const request: LeverageRequest = { ...all, borrowBank: null };
  return { wallet, account, sorted, request };
}

/** A close of all debts that is refused, and how the calls that it names are made one after the other. */
async function refusedAll(debts: Debts, usd: number) {
  const made = await position(debts, { usd });
  const { wallet, request } = made;
  const pair = { deposit: bank('SOL'), borrow: made.sorted[0] as P0Bank };
  const refused = await refuse(scene.world, { wallet, pair, request });
  return { ...made, refused, makeCalls: (calls: readonly CloseCall[]) => makeCalls(wallet, request, calls) };
}

async function makeCalls(wallet: KeyPairSigner, request: LeverageRequest, calls: readonly CloseCall[]): Promise<void> {
  for (const { tool, args } of calls) {
    expect(tool).toBe('svc_close_position');
    const borrow = scene.world.banks.find(({ address }) => address === args.borrow_bank);
    if (borrow === undefined) throw new TypeError('The call names no bank');
    const call: LeverageRequest = {
      ...request,
      account: args.account as Address,
      depositBank: args.deposit_bank as Address,
      borrowBank: borrow.address,
      amount: args.repay_all === true ? 'all' : String(args.amount),
    };
    await scene.attempt({ aim: 'a call', wallet, pair: { deposit: bank('SOL'), borrow }, request: call });
  }
}

function callsOf({ details }: Refused): readonly CloseCall[] {
  return details.calls as readonly CloseCall[];
}

function owedIn(account: Address): readonly Address[] {
  const balances = readAccount(scene.ledger, account)?.balances ?? [];
  return balances.filter(({ liabilityShares }) => liabilityShares > 0n).map((balance) => balance.bank);
}
