import { address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AccountState } from '#engine/engine.ts';
import { createModelEngine } from '#engine/model-engine.ts';
import { createLedger, type Ledger } from '#ledger/ledger.ts';
import type { LedgerEvent } from '#ledger/ledger-event.ts';
import { LaggingLedger } from './lagging-ledger.ts';

const BANK = address('4SoQ8UkWfeDH47T56PA53CZCeW4KytYCiU65CwBWoJUt');
const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;

/** An account that says in which slot it was written. */
function bankOf(slot: bigint): AccountState {
  return { lamports: 1n, owner: PROGRAM, data: new Uint8Array([Number(slot % 256n)]), executable: false };
}

describe('LaggingLedger', () => {
  let ledger: Ledger;
  let node: LaggingLedger;
  let told: LedgerEvent[];
  beforeEach(() => {
    ledger = createLedger({ engine: createModelEngine(), genesis: () => [[BANK, bankOf(0n)]], startSlot: 1000n });
    ledger.onSlot((slot) => ledger.writeAccount(BANK, bankOf(slot)));
    advance(40);
    node = new LaggingLedger(ledger);
    told = [];
    node.subscribe((event) => told.push(event));
  });

  function advance(slots: number): void {
    for (let index = 0; index < slots; index += 1) ledger.advanceSlot();
  }
  const slots = () => COMMITMENTS.map((commitment) => node.slot(commitment));
  const states = () => COMMITMENTS.map((commitment) => BigInt(node.account(BANK, commitment)?.data[0] ?? -1));
  const openings = () => told.flatMap((event) => (event.kind === 'slot' ? [event.slot] : []));

  it('is the chain itself while it is not behind', () => {
    advance(1);
    expect(slots()).toEqual([1042n, 1041n, 1010n]);
    expect(openings()).toEqual([1042n]);
    expect(node.latestBlockhash('processed')).toEqual(ledger.latestBlockhash('processed'));
  });

  it('stands still until it is as far behind as it shall be, then follows', () => {
    node.fallBehind(5);
    advance(5);
    expect(slots()).toEqual([1041n, 1040n, 1009n]);
    expect(openings()).toEqual([]);
    advance(40);
    expect(slots()).toEqual([1081n, 1080n, 1049n]);
    expect(openings().at(-1)).toBe(1081n);
  });

  it('reads every commitment as of its slot, a finalized one too that the chain is long past', () => {
    node.fallBehind(35);
    advance(100);
    expect(slots()).toEqual([1106n, 1105n, 1074n]);
    expect(states()).toEqual(slots().map((slot) => slot % 256n));
    expect([...node.accountsOwnedBy(PROGRAM, 'finalized')].map(([, { data }]) => data[0])).toEqual([1074 % 256]);
  });

  it('knows no block, blockhash or transaction of later slots', () => {
    const before = ledger.latestBlockhash('confirmed');
    node.fallBehind(5);
    advance(4);
    expect(node.latestBlockhash('confirmed')).toEqual(before);
    expect(node.latestBlockhash('processed')).toEqual(before);
    expect(node.isBlockhashValid(ledger.latestBlockhash('confirmed').blockhash, 'processed')).toBe(false);
    expect(node.blockAt(1041n)).toBeUndefined();
    expect(node.blocks.at(-1)?.slot).toBe(1040n);
    expect(node.blocksBetween(1038n, 2000n).map(({ slot }) => slot)).toEqual([1039n, 1040n]);
    expect(node.blockHeight('processed')).toBe(node.blockHeight('confirmed') + 1n);
  });

  it('tells late, in the order and with the states of then', () => {
    node.fallBehind(3);
    const seen: string[] = [];
    node.subscribe((event) => {
      if (event.kind !== 'changes' || event.commitment !== 'confirmed') return;
      seen.push(`${event.slot} ${node.account(BANK, 'confirmed')?.data[0]}`);
    });
    advance(5);
    expect(seen).toEqual([`1041 ${1041 % 256}`, `1042 ${1042 % 256}`]);
    node.fallBehind(0);
    expect(seen.slice(2)).toEqual([`1043 ${1043 % 256}`, `1044 ${1044 % 256}`, `1045 ${1045 % 256}`]);
    expect(slots()).toEqual(COMMITMENTS.map((commitment) => ledger.slot(commitment)));
    expect(openings()).toEqual([1042n, 1043n, 1044n, 1045n, 1046n]);
  });

  it('never tells of a fork that was dropped before it came so far', () => {
    node.fallBehind(10);
    advance(12);
    expect(slots()).toEqual([1043n, 1042n, 1011n]);
    ledger.dropFork({ slots: 5 });
    expect(slots()[0]).toBe(1043n);
    advance(30);
    expect(openings()).toEqual([1042n, 1043n, 1044n, 1045n, 1046n, 1047n, ...rangeOf(1054n, 1074n)]);
  });

  it('stands before a fork that was dropped after it told of it', () => {
    node.fallBehind(2);
    advance(12);
    expect(slots()[0]).toBe(1051n);
    ledger.dropFork({ slots: 8 });
    expect(slots().slice(0, 2)).toEqual([1044n, 1044n]);
    expect(states()[1]).toBe(1044n % 256n);
    advance(2);
    expect(slots().slice(0, 2)).toEqual([1054n, 1044n]);
  });
});

function rangeOf(first: bigint, last: bigint): readonly bigint[] {
  return Array.from({ length: Number(last - first) + 1 }, (_, index) => first + BigInt(index));
}
