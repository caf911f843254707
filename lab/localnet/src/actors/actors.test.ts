import { totalAssetsOf, totalLiabilitiesOf } from '@lending/domain';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank, decodeEvents } from '@lending/venues';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TransactionRecord } from '#ledger/transaction-record.ts';
import { P0_BANKS } from '#market/p0-banks.ts';
import { type OpenedLocalnet, openLocalnet } from '#open-localnet.ts';
import { amountOf } from '#programs/token/token-state.ts';
import { createActor } from './actor.ts';
import { createActors } from './actors.ts';
import { LIVE_RESERVES } from './population.ts';

/** Some slots before JUP falls. */
const BEFORE_DIP = 450_001_930n;

/** Lets slots of 400 ms pass on a demo market whose people send 20 transactions a second, and returns what landed. */
async function live(slots: number, startSlot: bigint): Promise<[OpenedLocalnet, readonly TransactionRecord[]]> {
  let nowMs = 1_795_255_000_000;
  const localnet = await openLocalnet({
    genesis: { kind: 'demo' },
    slotMs: null,
    transactionsPerSecond: 20,
    startSlot,
    nowMs: () => nowMs,
  });
  for (let slot = 0; slot < slots; slot += 1) {
    nowMs += 400;
    localnet.ledger.advanceSlot();
  }
  return [localnet, localnet.ledger.blocks.flatMap(({ transactions }) => transactions)];
}

describe('the people of the demo market', () => {
  let localnet: OpenedLocalnet;
  let landed: readonly TransactionRecord[];
  beforeAll(async () => {
    [localnet, landed] = await live(120, 450_020_000n);
  });

  it('deposit, withdraw, borrow, repay, loop and unwind, and hardly ever fail', () => {
    const { ledger } = localnet;
    const counts = new Map<string, number>();
    for (const { result } of landed) {
      const { events } = decodeEvents(result.logs, MARGINFI_PROGRAM);
      const isLoan = result.logs.some((line) => line.endsWith('Instruction: LendingAccountStartFlashloan'));
      const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== 'interestAccrued');
      const name = isLoan ? `flash loan: ${kinds.join(' ')}` : kinds.join(' ');
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const name of [
      'accountCreated deposited',
      'deposited',
      'withdrawn',
      'borrowed',
      'repaid',
      'flash loan: borrowed deposited',
      'flash loan: withdrawn repaid',
      'accountTransferred',
    ]) {
      expect(counts.get(name) ?? 0, `${name} among ${[...counts.keys()].join(', ')}`).toBeGreaterThan(0);
    }
    // 20 a second for 120 slots of 400 ms.
    expect(landed.length).toBeGreaterThan(930);
    const failed = landed.filter(({ result }) => result.error !== null);
    expect(failed.length, JSON.stringify(failed.map(({ result }) => result.error))).toBeLessThan(landed.length / 50);

    // Whoever acts, a pool never owes more than it holds, and never holds more than rounding left in it.
    for (const { address, ticker } of P0_BANKS) {
      const state = ledger.account(address);
      const bank = decodeBank(
        { address, owner: MARGINFI_PROGRAM, data: state?.data ?? new Uint8Array() },
        MARGINFI_PROGRAM,
      );
      const held = amountOf(ledger.account(bank.liquidityVault)?.data ?? new Uint8Array());
      const { insurance, group, program } = bank.feesOutstanding;
      const fees = insurance + group + program + bank.premium.collected;
      const due = totalAssetsOf(bank.shares) - totalLiabilitiesOf(bank.shares) + fees;
      const surplus = held - (due >> 48n);
      expect(surplus, ticker).toBeGreaterThanOrEqual(-1n);
      // Interest rounds what a share is worth down, by at most 2^-48: a unit for every 2^48 shares, each time.
      const rounding = 1n + (bank.shares.totalAssetShares >> 96n);
      expect(surplus, ticker).toBeLessThanOrEqual(rounding * BigInt(landed.length));
    }
  });

  it('leave no live reserve of a venue as it was, through P0 and past it', async () => {
    const bytesIn = ({ ledger }: OpenedLocalnet) =>
      new Map(
        LIVE_RESERVES.map(({ address }) => [address, Buffer.from(ledger.account(address)?.data ?? []).toString('hex')]),
      );
    const [begun] = await live(0, 450_020_000n);
    const before = bytesIn(begun);
    for (const [address, bytes] of bytesIn(localnet)) expect(bytes, address).not.toBe(before.get(address));
    const names = landed.flatMap(({ result }) =>
      result.error === null
        ? result.logs.flatMap((line) => /^Program log: Instruction: (.+)$/.exec(line)?.[1] ?? [])
        : [],
    );
    for (const name of [
      'KaminoDeposit',
      'KaminoWithdraw',
      'SolendDeposit',
      'SolendWithdraw',
      'JuplendDeposit',
      'JuplendWithdraw',
    ]) {
      expect(names).toContain(name);
    }
  });

  it('liquidate the reckless when their collateral falls', async () => {
    const [, around] = await live(160, BEFORE_DIP);
    const liquidator = createActor('liquidator').account;
    const victims = around.flatMap(({ result }) =>
      decodeEvents(result.logs, MARGINFI_PROGRAM).events.flatMap((event) =>
        event.kind === 'liquidated'
          ? [[event.fields.header.marginfiAccount, event.fields.liquidateeMarginfiAccount]]
          : [],
      ),
    );
    expect(victims.length).toBeGreaterThan(0);
    const reckless = ['USDC', 'USDT', 'PYUSD'].map(
      (debt) => createActor(`reckless borrower of ${debt} on JUP`).account,
    );
    for (const [by, of] of victims) {
      expect(by).toBe(liquidator);
      expect(reckless).toContain(of);
    }
  });

  it.each([
    [0, 0],
    [1, 40],
    [7, 280],
    [200, 8_000],
  ])('take %i turns a second', (transactionsPerSecond, turns) => {
    const actors = createActors({ seed: 1, transactionsPerSecond, slotMs: 400 });
    const counts = Array.from({ length: 100 }, (_, slot) => actors.turns(450_000_000n + BigInt(slot)).length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(turns);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });

  it('leave the market alone unless told to act', async () => {
    const localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null });
    for (let slot = 0; slot < 20; slot += 1) localnet.ledger.advanceSlot();
    expect(localnet.ledger.transactionCount).toBe(0n);
  });
});
