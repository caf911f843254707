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

/** Lists of these two accounts have 64-bit lengths (LiteSVM's own accounts do too); kit 8.4's codecs read 32 bits. */
const slotHashesDecoder = getArrayDecoder(
  getStructDecoder([
    ['slot', getU64Decoder()],
    ['hash', getBlockhashDecoder()],
  ]),
  { size: getU64Decoder() },
);
const recentBlockhashesDecoder = getArrayDecoder(
  getStructDecoder([
    ['hash', getBlockhashDecoder()],
    ['lamportsPerSignature', getU64Decoder()],
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
        [alice.address, wallet(10n * SOL)],
        [BANK, bank(0)],
      ],
      startSlot: 1000n,
      report: (line) => lines.push(line),
      ...options,
    });

  const pay = async (ledger: Ledger, amount: bigint, unitPrice = 0n) => {
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayerSigner(alice, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(ledger.latestBlockhash('processed'), m),
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
    const recent = recentBlockhashesDecoder.decode(
      ledger.account(address('SysvarRecentB1ockHashes11111111111111111111'))?.data ?? new Uint8Array(),
    );
    expect(recent[0]).toEqual({ hash: hashes[0]?.hash, lamportsPerSignature: 5000n });
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
    ledger.submit(await pay(ledger, 1n, 5000n));
    ledger.submit(await pay(ledger, 2n, 3000n));
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
    const stored = (kind: 'snapshot' | 'journal') =>
      join(folder, readdirSync(folder).find((name) => name.startsWith(`${kind}-`)) ?? 'absent');

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
});
