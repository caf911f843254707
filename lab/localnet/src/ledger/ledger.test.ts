import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  address,
  appendTransactionMessageInstruction,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getArrayDecoder,
  getBlockhashDecoder,
  getStructDecoder,
  getTransactionEncoder,
  getU64Decoder,
  type KeyPairSigner,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getSysvarClockDecoder } from '@solana/sysvars';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountState } from '#engine/engine.ts';
import { createModelEngine } from '#engine/model-engine.ts';
import { createLedger, type Ledger, type LedgerOptions } from './ledger.ts';
import type { LedgerEvent } from './ledger-event.ts';

const SYSTEM = address('11111111111111111111111111111111');
const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const CLOCK = address('SysvarC1ock11111111111111111111111111111111');
const SLOT_HASHES = address('SysvarS1otHashes111111111111111111111111111');
const BANK = address('4SoQ8UkWfeDH47T56PA53CZCeW4KytYCiU65CwBWoJUt');
const BOB = address('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5');
const SOL = 1_000_000_000n;

/** The list of this account has a 64-bit length (LiteSVM's own account does too); kit 8.4's codec reads 32 bits. */
const slotHashesDecoder = getArrayDecoder(
  getStructDecoder([
    ['slot', getU64Decoder()],
    ['hash', getBlockhashDecoder()],
  ]),
  { size: getU64Decoder() },
);
function wallet(lamports: bigint): AccountState {
  return { lamports, owner: SYSTEM, data: new Uint8Array(), executable: false };
}

function bank(tag: number): AccountState {
  return { lamports: SOL, owner: PROGRAM, data: new Uint8Array([tag]), executable: false };
}

/** Changes a value and nothing of the structure around it. */
function changeText(path: string, text: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf(text);
  if (at < 0) throw new Error(`${path} does not hold ${text}`);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

describe('Ledger', () => {
  let alice: KeyPairSigner;
  let folder: string;
  let lines: string[];
  beforeAll(async () => {
    alice = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(7));
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledger-'));
    lines = [];
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

  const pay = async (
    ledger: Ledger,
    amount: bigint,
    { unitPrice = 0n, blockhash = ledger.latestBlockhash('processed') } = {},
  ) => {
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayerSigner(alice, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(blockhash, m),
      (m) => setTransactionMessageComputeUnitLimit(100_000, m),
      (m) => setTransactionMessageComputeUnitPrice(unitPrice as never, m),
      (m) =>
        appendTransactionMessageInstruction(getTransferSolInstruction({ source: alice, destination: BOB, amount }), m),
    );
    return new Uint8Array(getTransactionEncoder().encode(await signTransactionMessageWithSigners(message)));
  };

  const advance = (ledger: Ledger, slots: number) => {
    for (let index = 0; index < slots; index += 1) ledger.advanceSlot();
  };

  const stored = (kind: 'snapshot' | 'journal') =>
    join(folder, readdirSync(folder).find((name) => name.startsWith(`${kind}-`)) ?? 'absent');

  it('reads every commitment as it stood at that commitment’s slot', () => {
    const ledger = open();
    for (let tag = 1; tag <= 40; tag += 1) {
      ledger.writeAccount(BANK, bank(tag));
      ledger.advanceSlot();
    }
    const tagAt = (commitment: 'processed' | 'confirmed' | 'finalized') => ledger.account(BANK, commitment)?.data[0];
    expect([ledger.slot('processed'), ledger.slot('confirmed'), ledger.slot('finalized')]).toEqual([
      1041n,
      1040n,
      1009n,
    ]);
    expect([tagAt('processed'), tagAt('confirmed'), tagAt('finalized')]).toEqual([40, 40, 9]);
    ledger.writeAccount(BANK, bank(99));
    expect([tagAt('processed'), tagAt('confirmed'), tagAt('finalized')]).toEqual([99, 40, 9]);
    ledger.writeAccount(BANK, undefined);
    expect([...ledger.accountsOwnedBy(PROGRAM, 'processed')]).toEqual([]);
    expect([...ledger.accountsOwnedBy(PROGRAM, 'confirmed')].map(([, { data }]) => data[0])).toEqual([40]);
  });

  it('keeps the Clock and SlotHashes accounts in step with the slot, on a frozen clock too', () => {
    const ledger = open({ clock: { kind: 'frozen', unixTimestamp: 1_700_000_000n } });
    advance(ledger, 3);
    const clock = getSysvarClockDecoder().decode(ledger.account(CLOCK)?.data ?? new Uint8Array());
    expect(clock).toMatchObject({ slot: 1004n, unixTimestamp: 1_700_000_000n, epoch: 0n, leaderScheduleEpoch: 1n });
    const confirmed = getSysvarClockDecoder().decode(ledger.account(CLOCK, 'confirmed')?.data ?? new Uint8Array());
    expect(confirmed.slot).toBe(1003n);
    const hashes = slotHashesDecoder.decode(ledger.account(SLOT_HASHES)?.data ?? new Uint8Array());
    expect(hashes.map(({ slot }) => slot)).toEqual([1003n, 1002n, 1001n, 1000n]);
    expect(hashes[0]?.hash).toBe(ledger.blockAt(1003n)?.blockhash);
  });

  it('never lets chain time go back when the machine’s clock does', () => {
    let nowMs = 5_000_000;
    const ledger = open({ nowMs: () => nowMs });
    nowMs = 1_000_000;
    ledger.advanceSlot();
    expect(ledger.unixTimestamp).toBe(5000n);
  });

  it('takes a blockhash for 150 blocks and a transaction once', async () => {
    const ledger = open();
    const early = await pay(ledger, SOL);
    const late = await pay(ledger, 2n * SOL);
    const { lastValidBlockHeight } = ledger.latestBlockhash('processed');
    advance(ledger, 150);
    expect(ledger.blockHeight('confirmed')).toBe(lastValidBlockHeight);
    expect(ledger.submit(early).kind).toBe('executed');
    expect(ledger.submit(early)).toMatchObject({ kind: 'refused', error: 'AlreadyProcessed' });
    advance(ledger, 1);
    expect(ledger.submit(late)).toMatchObject({ kind: 'refused', error: 'BlockhashNotFound' });
    expect(ledger.submit(early)).toMatchObject({ kind: 'refused' });
    expect(ledger.account(BOB)?.lamports).toBe(SOL);
  });

  it('says that bytes are no transaction', () => {
    expect(open().submit(new Uint8Array([1, 2, 3]))).toMatchObject({ kind: 'malformed' });
  });

  it('tells what changed once per commitment, in slot order', async () => {
    const ledger = open();
    const events: LedgerEvent[] = [];
    ledger.subscribe((event) => events.push(event));
    ledger.submit(await pay(ledger, SOL));
    advance(ledger, 40);
    const seen = events.flatMap((event) =>
      event.kind === 'changes' && event.transactions.length > 0 ? [`${event.commitment} ${event.slot}`] : [],
    );
    expect(seen).toEqual(['processed 1001', 'confirmed 1001', 'finalized 1001']);
    const finalized = events.flatMap((event) =>
      event.kind === 'changes' && event.commitment === 'finalized' ? [event] : [],
    );
    expect(finalized.map(({ slot }) => slot)).toEqual([1001n, 1002n, 1003n, 1004n, 1005n, 1006n, 1007n, 1008n, 1009n]);
    expect(finalized[0]?.addresses).toEqual(expect.arrayContaining([alice.address, BOB, CLOCK]));
  });

  it('goes on when a listener throws, and says so', () => {
    const ledger = open();
    ledger.subscribe(() => {
      throw new Error('listener broke');
    });
    expect(ledger.advanceSlot()).toBe(1002n);
    expect(lines).toContain('listener broke');
  });

  it('remembers what transactions bid', async () => {
    const ledger = open();
    ledger.submit(await pay(ledger, 1n, { unitPrice: 5000n }));
    ledger.submit(await pay(ledger, 2n, { unitPrice: 3000n }));
    ledger.advanceSlot();
    const records = ledger.blockAt(1001n)?.transactions;
    expect(records?.map(({ unitPrice }) => unitPrice)).toEqual([5000n, 3000n]);
    expect(records?.[0]?.writableAccounts).toEqual([alice.address, BOB]);
    expect(records?.[0]?.result.fee).toBe(5500n);
  });

  it('forgets the oldest blocks and their transactions beyond its limit', async () => {
    const ledger = open({ history: { maxBlocks: 50, maxTransactions: 10 } });
    const outcome = ledger.submit(await pay(ledger, SOL));
    if (outcome.kind !== 'executed') throw new Error('did not run');
    const { signature } = outcome.landing.facts;
    advance(ledger, 49);
    expect([...ledger.signaturesOf(BOB)]).toEqual([signature]);
    advance(ledger, 2);
    expect([...ledger.signaturesOf(BOB)]).toEqual([]);
    expect(ledger.transaction(signature)).toBeUndefined();
    expect(ledger.blocks).toHaveLength(50);
  });

  it('keeps more transactions than its limit only while their blockhashes may be valid', async () => {
    const ledger = open({ history: { maxBlocks: 1_000, maxTransactions: 10 } });
    const signatures = [];
    for (let count = 0; count < 200; count += 1) {
      const outcome = ledger.submit(await pay(ledger, BigInt(count + 1) * 1_000_000n));
      if (outcome.kind !== 'executed') throw new Error('did not run');
      signatures.push(outcome.landing.facts.signature);
      ledger.advanceSlot();
    }
    expect(ledger.blocks).toHaveLength(152);
    expect([...ledger.signaturesOf(BOB)]).toEqual(signatures.slice(-152).toReversed());
  });

  describe('stored in a folder', () => {
    it('continues at the next slot after a stop, with balances, history and used messages', async () => {
      const first = open({ folder });
      const wire = await pay(first, SOL);
      first.submit(wire);
      await first.stop();
      const served = first.slot('processed');
      const second = open({ folder, genesis: () => expect.unreachable('genesis was asked again') });
      expect(second.slot('processed')).toBe(served + 1n);
      expect(second.account(BOB)?.lamports).toBe(SOL);
      expect(second.transactionCount).toBe(1n);
      expect([...second.signaturesOf(BOB)]).toHaveLength(1);
      expect(second.submit(wire)).toMatchObject({ kind: 'refused', error: 'AlreadyProcessed' });
      expect(second.latestBlockhash('processed').blockhash).toBe(second.blocks.at(-1)?.blockhash);
      expect(lines).toEqual([]);
    });

    it('loses nothing confirmed when it is killed, and jumps beyond every slot it may have served', async () => {
      const killed = open({ folder });
      killed.submit(await pay(killed, SOL));
      advance(killed, 5);
      killed.submit(await pay(killed, 2n * SOL));
      const served = killed.slot('processed');
      const second = open({ folder });
      expect(second.slot('processed')).toBeGreaterThan(served);
      expect(second.slot('finalized')).toBe(served - 1n);
      expect(second.account(BOB)?.lamports).toBe(SOL);
      expect(second.transactionCount).toBe(1n);
      const third = open({ folder });
      expect(third.slot('processed')).toBeGreaterThan(second.slot('processed'));
    });

    it('rises over its reservation as slots pass', () => {
      const ledger = open({ folder });
      const mark = () => BigInt(readFileSync(join(folder, 'slot-mark'), 'utf8').trim());
      for (let index = 0; index < 600; index += 1) {
        ledger.advanceSlot();
        expect(mark()).toBeGreaterThan(ledger.slot('processed'));
      }
    });

    it.each([
      ['cut in half', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
      ['overwritten', (path: string) => writeFileSync(path, 'not a snapshot')],
      ['emptied', (path: string) => truncateSync(path, 0)],
      ['changed in one bit', (path: string, { genesisHash }: Ledger) => changeText(path, genesisHash)],
    ])('starts from genesis above every served slot when the snapshot was %s, with one line', async (_, damage) => {
      const first = open({ folder });
      first.submit(await pay(first, SOL));
      advance(first, 3);
      damage(stored('snapshot'), first);
      const second = open({ folder });
      expect(second.slot('finalized')).toBeGreaterThan(first.slot('processed'));
      expect(second.account(BOB)).toBeUndefined();
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/snapshot-\w+ cannot be read \(.+\): starting from genesis$/);
    });

    it('keeps the whole blocks of a journal whose tail was cut', async () => {
      const first = open({ folder });
      first.submit(await pay(first, SOL));
      advance(first, 3);
      const path = stored('journal');
      truncateSync(path, statSync(path).size - 5);
      const second = open({ folder });
      expect(second.account(BOB)?.lamports).toBe(SOL);
      expect(lines).toEqual([expect.stringMatching(/journal-\w+ is damaged after 2 blocks/)]);
    });

    it('empties the journal with a new snapshot, and passes over blocks it holds twice', async () => {
      const first = open({ folder });
      first.submit(await pay(first, SOL));
      advance(first, 3);
      const journal = readFileSync(stored('journal'));
      first.snapshot();
      expect(statSync(stored('journal')).size).toBe(0);
      // As a crash between the two steps leaves it.
      writeFileSync(stored('journal'), journal);
      const second = open({ folder });
      expect(second.transactionCount).toBe(1n);
      expect(second.blocks.map(({ slot }) => slot)).toEqual(first.blocks.map(({ slot }) => slot));
    });

    it('keeps chains of other names as they were, all above the slots served', async () => {
      const demo = open({ folder, cluster: 'demo' });
      demo.submit(await pay(demo, SOL));
      await demo.stop();
      const other = open({ folder, cluster: 'dumps' });
      expect(other.blocks).toHaveLength(1);
      expect(other.account(BOB)).toBeUndefined();
      expect(other.slot('processed')).toBeGreaterThan(demo.slot('processed'));
      await other.stop();
      const again = open({ folder, cluster: 'demo', genesis: () => expect.unreachable('genesis was asked again') });
      expect(again.account(BOB)?.lamports).toBe(SOL);
      expect(again.slot('processed')).toBeGreaterThan(other.slot('processed'));
      expect(lines).toEqual([]);
    });

    it('opens no slot while the disk refuses, and goes on by itself', async () => {
      const ledger = open({ folder, slotMs: 5 });
      rmSync(folder, { recursive: true });
      ledger.start();
      await expect.poll(() => ledger.failure).toMatch(/^no new slots: /);
      const stuck = ledger.slot('processed');
      expect(lines).toHaveLength(1);
      mkdirSync(folder);
      await expect.poll(() => ledger.slot('processed')).toBeGreaterThan(stuck);
      expect(ledger.failure).toBeUndefined();
      await ledger.stop();
      expect(
        readdirSync(folder)
          .map((name) => name.replace(/-[0-9a-f]{16}$/, ''))
          .toSorted(),
      ).toEqual(['journal', 'slot-mark', 'snapshot']);
    });
  });

  describe('dropFork', () => {
    const send = (ledger: Ledger, wire: Uint8Array) => {
      const outcome = ledger.submit(wire);
      if (outcome.kind !== 'executed') throw new Error(`did not run: ${outcome.kind}`);
      return outcome.landing.facts.signature;
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
      const wire = await pay(ledger, SOL, { blockhash: lasting });
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
});
