import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  address,
  appendTransactionMessageInstruction,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getTransactionEncoder,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountState } from '#engine/engine.ts';
import { createModelEngine } from '#engine/model-engine.ts';
import { createLedger, type Ledger, type LedgerOptions } from './ledger.ts';
import type { LedgerEvent } from './ledger-event.ts';

const SYSTEM = address('11111111111111111111111111111111');
const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const BANK = address('4SoQ8UkWfeDH47T56PA53CZCeW4KytYCiU65CwBWoJUt');
const BOB = address('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5');
const SOL = 1_000_000_000n;

function wallet(lamports: bigint): AccountState {
  return { lamports, owner: SYSTEM, data: new Uint8Array(), executable: false };
}

function bank(tag: number): AccountState {
  return { lamports: SOL, owner: PROGRAM, data: new Uint8Array([tag]), executable: false };
}

describe('Ledger.dropFork', () => {
  let alice: KeyPairSigner;
  let folder: string;
  const lines: string[] = [];
  beforeAll(async () => {
    alice = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(7));
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fork-'));
    lines.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const open = (options: Partial<LedgerOptions> = {}) =>
    createLedger({
      engine: createModelEngine(),
      genesis: () => [
        [alice.address, wallet(1_000n * SOL)],
        [BANK, bank(0)],
      ],
      startSlot: 1000n,
      report: (line) => lines.push(line),
      ...options,
    });

  const pay = async (ledger: Ledger, amount: bigint, blockhash = ledger.latestBlockhash('processed')) => {
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayerSigner(alice, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(blockhash, m),
      (m) =>
        appendTransactionMessageInstruction(getTransferSolInstruction({ source: alice, destination: BOB, amount }), m),
    );
    return new Uint8Array(getTransactionEncoder().encode(await signTransactionMessageWithSigners(message)));
  };
  const send = (ledger: Ledger, wire: Uint8Array) => {
    const outcome = ledger.submit(wire);
    if (outcome.kind !== 'executed') throw new Error(`did not run: ${outcome.kind}`);
    return outcome.landing.facts.signature;
  };
  const advance = (ledger: Ledger, slots: number) => {
    for (let index = 0; index < slots; index += 1) ledger.advanceSlot();
  };
  const slotsOf = (ledger: Ledger) => ledger.blocks.map(({ slot }) => slot);

  /** Blocks 1000 to 1040: one payment to Bob in 1035, one in 1037, and one in the open slot 1041. */
  const prepared = async (options: Partial<LedgerOptions> = {}) => {
    const ledger = open(options);
    advance(ledger, 34);
    const kept = send(ledger, await pay(ledger, SOL));
    ledger.writeAccount(BANK, bank(1));
    advance(ledger, 2);
    const dropped = send(ledger, await pay(ledger, 2n * SOL));
    ledger.writeAccount(BANK, bank(2));
    advance(ledger, 4);
    const open_ = send(ledger, await pay(ledger, 4n * SOL));
    return { ledger, kept, dropped, open: open_ };
  };

  it('takes accounts, history and counts back, and lets slots go on upward', async () => {
    const { ledger, kept, dropped, open: last } = await prepared();
    expect(ledger.account(BOB)?.lamports).toBe(7n * SOL);
    const result = ledger.dropFork({ slots: 5 });
    expect(result).toMatchObject({ parent: 1035n, slots: [1036n, 1037n, 1038n, 1039n, 1040n, 1041n], relanded: [] });
    expect(result.transactions.map(({ signature }) => signature)).toEqual([dropped, last]);
    expect([ledger.slot('processed'), ledger.slot('confirmed')]).toEqual([1042n, 1035n]);
    expect(ledger.account(BOB)?.lamports).toBe(SOL);
    expect(ledger.account(BANK)?.data[0]).toBe(1);
    expect([...ledger.signaturesOf(BOB)]).toEqual([kept]);
    expect(ledger.transaction(dropped)).toBeUndefined();
    expect(ledger.transactionCount).toBe(1n);
    advance(ledger, 2);
    expect(slotsOf(ledger).slice(-3)).toEqual([1035n, 1042n, 1043n]);
    expect(ledger.blockAt(1036n)).toBeUndefined();
    const [before, first] = [ledger.blockAt(1035n), ledger.blockAt(1042n)];
    expect(first).toMatchObject({
      parentSlot: 1035n,
      previousBlockhash: before?.blockhash,
      height: (before?.height ?? 0n) + 1n,
    });
  });

  it('keeps what is finalized, and drops no further than that', async () => {
    const { ledger } = await prepared();
    expect(ledger.slot('finalized')).toBe(1009n);
    expect(() => ledger.dropFork({ slots: 32 })).toThrow('cannot drop 32 blocks: slot 1009 is finalized');
    expect(ledger.slot('processed')).toBe(1041n);
    ledger.dropFork({ slots: 20 });
    expect(ledger.slot('finalized')).toBe(1009n);
    expect(() => ledger.dropFork({ slots: 12 })).toThrow(RangeError);
    advance(ledger, 20);
    expect(ledger.slot('finalized')).toBe(1009n);
    ledger.advanceSlot();
    ledger.advanceSlot();
    expect(ledger.slot('finalized')).toBe(1011n);
    expect(ledger.account(BANK, 'finalized')?.data[0]).toBe(0);
  });

  it('lands a dropped transaction again in another slot, unless its blockhash went with the fork', async () => {
    const ledger = open();
    advance(ledger, 5);
    const lasting = ledger.latestBlockhash('finalized');
    advance(ledger, 2);
    const wire = await pay(ledger, SOL, lasting);
    const signature = send(ledger, wire);
    ledger.advanceSlot();
    const orphan = send(ledger, await pay(ledger, 2n * SOL));
    ledger.advanceSlot();
    const landedAt = ledger.transaction(signature)?.slot;
    const { relanded, transactions } = ledger.dropFork({ slots: 2, relanding: () => true });
    expect(transactions.map((record) => record.signature)).toEqual([signature, orphan]);
    expect(relanded.map((record) => record.signature)).toEqual([signature]);
    expect(ledger.transaction(signature)?.slot).toBe((landedAt ?? 0n) + 3n);
    expect(ledger.account(BOB)?.lamports).toBe(SOL);
    expect([...ledger.signaturesOf(BOB)]).toEqual([signature]);
    expect(ledger.submit(wire)).toMatchObject({ kind: 'refused', error: 'AlreadyProcessed' });
  });

  it('takes a message once more that only the fork had seen, and none of its blockhashes', async () => {
    const ledger = open();
    advance(ledger, 3);
    const wire = await pay(ledger, SOL);
    send(ledger, wire);
    ledger.advanceSlot();
    const gone = ledger.latestBlockhash('confirmed').blockhash;
    ledger.dropFork({ slots: 1 });
    ledger.advanceSlot();
    expect(ledger.isBlockhashValid(gone, 'processed')).toBe(false);
    expect(ledger.submit(wire).kind).toBe('executed');
  });

  it('tells the new fork after the dropped one, with the slot it stands on', async () => {
    const { ledger } = await prepared();
    const events: LedgerEvent[] = [];
    ledger.subscribe((event) => events.push(event));
    ledger.dropFork({ slots: 5 });
    ledger.writeAccount(BANK, bank(9));
    ledger.advanceSlot();
    expect(events.filter(({ kind }) => kind === 'slot')).toEqual([
      { kind: 'slot', slot: 1042n, parent: 1035n, root: 1009n },
      { kind: 'slot', slot: 1043n, parent: 1042n, root: 1009n },
    ]);
    const confirmed = events.filter((event) => event.kind === 'changes' && event.commitment === 'confirmed');
    expect(confirmed).toEqual([expect.objectContaining({ slot: 1042n, addresses: expect.arrayContaining([BANK]) })]);
    // What never was is never finalized either.
    advance(ledger, 40);
    const finalized = events.flatMap((event) =>
      event.kind === 'changes' && event.commitment === 'finalized' ? [event.slot] : [],
    );
    expect(finalized.filter((slot) => slot > 1030n)).toEqual(
      slotsOf(ledger).filter((slot) => slot > 1030n && slot <= ledger.slot('finalized')),
    );
  });

  it('can be dropped twice in a row', async () => {
    const { ledger, kept } = await prepared();
    ledger.dropFork({ slots: 3 });
    ledger.writeAccount(BANK, bank(7));
    advance(ledger, 2);
    expect(ledger.dropFork({ slots: 4 })).toMatchObject({ parent: 1035n });
    expect(ledger.account(BANK)?.data[0]).toBe(1);
    expect([...ledger.signaturesOf(BOB)]).toEqual([kept]);
  });

  describe('stored in a folder', () => {
    const stored = (kind: 'snapshot' | 'journal') =>
      join(folder, readdirSync(folder).find((name) => name.startsWith(`${kind}-`)) ?? 'absent');

    it('continues without the fork after a kill, above every slot it served', async () => {
      const { ledger, kept } = await prepared({ folder });
      ledger.dropFork({ slots: 5 });
      advance(ledger, 3);
      const again = open({ folder, genesis: () => expect.unreachable('genesis was asked again') });
      expect(slotsOf(again)).toEqual(slotsOf(ledger));
      expect(again.account(BANK)?.data[0]).toBe(1);
      expect([...again.signaturesOf(BOB)]).toEqual([kept]);
      expect(again.transactionCount).toBe(1n);
      expect(again.slot('processed')).toBeGreaterThan(ledger.slot('processed'));
      expect(lines).toEqual([]);
    });

    it('is one of the two forks, whole, when it was killed while dropping', async () => {
      const { ledger } = await prepared({ folder });
      ledger.snapshot();
      advance(ledger, 3);
      // The snapshot holds dropped blocks, and the journal goes on from the last of them.
      const journal = readFileSync(stored('journal'));
      ledger.dropFork({ slots: 8 });
      writeFileSync(stored('journal'), journal);
      const again = open({ folder });
      expect(slotsOf(again).at(-1)).toBe(1035n);
      expect(again.account(BANK)?.data[0]).toBe(1);
    });
  });
});
