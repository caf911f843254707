import { type Chain, createChain } from '@lending/chain';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { MARGINFI_PROGRAM } from '@lending/programs';
import {
  type Activity,
  type ActivityLeg,
  accountsInLogs,
  type DecodedActivity,
  decodeActivity,
  type TransactionTrace,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharesIn, vaultsIn } from './program-accounts.ts';

const SLOTS = 125;

interface Decoded {
  readonly trace: TransactionTrace;
  readonly decoded: DecodedActivity;
}

let localnet: OpenedLocalnet;
let chain: Chain;
let before: ReadonlyMap<string, bigint>;
let all: readonly Decoded[];

/** Shares by account, bank and side, as `account bank side`. */
function keyOf(account: Address, { bank, action }: Pick<ActivityLeg, 'bank' | 'action'>): string {
  return `${account} ${bank} ${action === 'deposit' || action === 'withdraw' ? 'lend' : 'borrow'}`;
}

/** A transfer takes every balance along. */
function moveAll(shares: Map<string, bigint>, from: string, to: string | null): void {
  for (const [key, amount] of shares) {
    if (!key.startsWith(`${from} `) || to === null) continue;
    shares.delete(key);
    shares.set(key.replace(from, to), amount);
  }
}

const adds = ({ action }: ActivityLeg) => action === 'deposit' || action === 'borrow';
const activities = () => all.flatMap(({ decoded }) => decoded.activities);

describe('activity of the people of the local chain', () => {
  beforeAll(async () => {
    localnet = await openLocalnet({
      genesis: { kind: 'demo' },
      slotMs: null,
      transactionsPerSecond: 25,
      report: () => undefined,
    });
    await localnet.start();
    chain = createChain({ rpcUrls: [localnet.rpcUrl] });
    const { ledger } = localnet;
    before = sharesIn(ledger);
    for (let slot = 0; slot < SLOTS; slot += 1) ledger.advanceSlot();
    const confirmed = ledger.blocks.filter(({ slot }) => slot <= ledger.slot('confirmed'));
    const signatures = confirmed.flatMap(({ transactions }) => transactions.map(({ signature }) => signature));
    const traces = await chain.fetchTransactions(signatures);
    all = traces.flatMap((trace) =>
      trace === null ? [] : [{ trace, decoded: decodeActivity(trace, MARGINFI_PROGRAM) }],
    );
  });

  afterAll(() => localnet.stop());

  it('has every kind that people of the demo market do, and nothing unknown', () => {
    const counts = Object.groupBy(activities(), ({ kind }) => kind);
    expect(Object.keys(counts).sort()).toEqual([
      'borrow',
      'close_position',
      'create_account',
      'deposit',
      'loop',
      'order',
      'repay',
      'transfer',
      'withdraw',
    ]);
    expect(activities().length).toBeGreaterThan(500);
    expect(all.reduce((sum, { decoded }) => sum + decoded.unknown, 0)).toBe(0);
  });

  it('adds up to the shares of every account that was not liquidated', () => {
    const shares = new Map(before);
    const liquidated = new Set<string>();
    for (const { account, counterparty, legs, kind } of activities()) {
      if (kind === 'transfer') moveAll(shares, account, counterparty);
      if (kind === 'liquidation') for (const each of [account, counterparty]) liquidated.add(each ?? '');
      for (const leg of legs) {
        const key = keyOf(account, leg);
        shares.set(key, (shares.get(key) ?? 0n) + (adds(leg) ? 1n : -1n) * (leg.shares ?? 0n));
      }
    }
    const compared = (side: ReadonlyMap<string, bigint>) =>
      [...side].filter(([key, amount]) => amount !== 0n && !liquidated.has(key.split(' ')[0] ?? '')).sort();
    expect(compared(shares)).toEqual(compared(sharesIn(localnet.ledger)));
    expect(compared(shares).length).toBeGreaterThan(50);
  });

  it('moves exactly the tokens that left and entered the vaults', () => {
    const vaults = vaultsIn(localnet.ledger);
    let compared = 0;
    for (const { trace, decoded } of all) {
      if (decoded.activities.some(({ kind }) => kind === 'liquidation')) continue;
      for (const [bank, vault] of vaults) {
        const legs = decoded.activities.flatMap((activity) => activity.legs).filter((leg) => leg.bank === bank);
        const moved = legs.reduce(
          (sum, leg) => sum + (leg.action === 'deposit' || leg.action === 'repay' ? 1n : -1n) * (leg.amountBase ?? 0n),
          0n,
        );
        const change = trace.tokenBalances.find(({ account }) => account === vault);
        if (change === undefined || trace.isFailed) continue;
        expect(moved, trace.signature).toBe(change.after - change.before);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(500);
  });

  it('moves exactly the tokens that left and entered the wallets, at banks of venues, too', () => {
    const venues = new Set<string>();
    const vaults = vaultsIn(localnet.ledger);
    for (const { trace, decoded } of all) {
      const [only, ...others] = decoded.activities.filter(({ legs }) => legs.length > 0);
      const [leg] = only?.legs ?? [];
      if (only === undefined || leg === undefined || others.length > 0 || only.legs.length > 1) continue;
      const wallets = trace.tokenBalances.filter(({ owner, mint }) => owner === only.authority && mint === leg.mint);
      const isMovedElsewhere = trace.instructions.some(
        ({ instructionIndex, accounts }) =>
          instructionIndex !== only.instructionIndex && wallets.some(({ account }) => accounts.includes(account)),
      );
      if (isMovedElsewhere) continue;
      const received = wallets.reduce((sum, wallet) => sum + wallet.after - wallet.before, 0n);
      const isPaidOut = leg.action === 'withdraw' || leg.action === 'borrow';
      expect(received, trace.signature).toBe((isPaidOut ? 1n : -1n) * (leg.amountBase ?? 0n));
      if (!vaults.has(leg.bank)) venues.add(`${leg.bank} ${leg.action}`);
    }
    expect(venues.size).toBeGreaterThan(5);
  });

  it('is told by instructions alone as well, but for shares and what only an event has', () => {
    // Whose account a keeper moves deposits for, and in which group an order stands, no instruction says.
    const isOnlyTold = ({ kind, counterparty }: Activity) =>
      (kind === 'liquidation' && counterparty !== null) || kind === 'order';
    const plain = (rows: readonly Activity[]) =>
      rows
        .filter((row) => !isOnlyTold(row))
        .map((row) => ({ ...row, legs: row.legs.map((leg) => ({ ...leg, shares: null, premium: undefined })) }));
    for (const { trace, decoded } of all) {
      const untold = decodeActivity({ ...trace, logs: null }, MARGINFI_PROGRAM);
      expect(plain(untold.activities)).toEqual(plain(decoded.activities));
    }
  });

  it('names its accounts in the logs', () => {
    for (const { trace, decoded } of all) {
      const { accounts } = accountsInLogs(trace.logs ?? [], MARGINFI_PROGRAM);
      expect(accounts).toEqual(expect.arrayContaining(decoded.activities.map(({ account }) => account)));
    }
  });
});
