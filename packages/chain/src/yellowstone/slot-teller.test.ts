import { type Address, getAddressDecoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { ProgramEvent } from '../program-source.ts';
import type { GeyserTransaction, GeyserUpdate } from './geyser-client.ts';
import { createSlotTeller } from './slot-teller.ts';
import { ToldSlots } from './told-slots.ts';

const PROGRAM = getAddressDecoder().decode(new Uint8Array(32).fill(1)) as Address;
const KEY = new Uint8Array(32).fill(2);

const NOTHING: GeyserUpdate = { filters: [], createdAt: undefined };
const status = (slot: number, value: number): GeyserUpdate => ({
  ...NOTHING,
  slot: { slot: `${slot}`, status: value },
});
const block = (slot: number, timestamp = '77'): GeyserUpdate => ({
  ...NOTHING,
  blockMeta: {
    slot: `${slot}`,
    blockhash: '',
    rewards: undefined,
    blockTime: { timestamp },
    blockHeight: undefined,
    parentSlot: '0',
    parentBlockhash: '',
    executedTransactionCount: '0',
    entriesCount: '0',
  },
});
const META: NonNullable<GeyserTransaction['meta']> = {
  err: undefined,
  fee: '5',
  preBalances: ['10', '0'],
  postBalances: ['5', '0'],
  innerInstructions: [],
  innerInstructionsNone: false,
  logMessages: ['log'],
  logMessagesNone: false,
  preTokenBalances: [],
  postTokenBalances: [],
  rewards: [],
  loadedWritableAddresses: [],
  loadedReadonlyAddresses: [],
  returnData: undefined,
  returnDataNone: true,
};
const transaction = (slot: number, meta: GeyserTransaction['meta'] = META): GeyserUpdate => ({
  ...NOTHING,
  transaction: {
    slot: `${slot}`,
    transaction: {
      signature: new Uint8Array(64).fill(3),
      isVote: false,
      index: '0',
      meta,
      transaction: {
        signatures: [],
        message: {
          header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
          accountKeys: [KEY, new Uint8Array(32).fill(1)],
          recentBlockhash: new Uint8Array(32),
          instructions: [{ programIdIndex: 1, accounts: new Uint8Array([0]), data: new Uint8Array([9]) }],
          versioned: false,
          addressTableLookups: [],
        },
      },
    },
  },
});

function open(told = new ToldSlots(), isResumed = false) {
  const events: ProgramEvent[] = [];
  const target = { program: PROGRAM, accounts: [[]], transactions: true };
  const teller = createSlotTeller({ target, told, isResumed, tell: (event) => void events.push(event) });
  function take(...updates: readonly GeyserUpdate[]): void {
    for (const update of updates) teller.take(update);
  }
  return { events, told, take };
}

const records = (events: readonly ProgramEvent[]) =>
  events.flatMap((event) => (event.kind === 'transaction' ? [event.record] : []));

describe('createSlotTeller', () => {
  it('waits with what happened for the time of its block', () => {
    const { events, take } = open();
    take(transaction(5));
    expect(events).toEqual([]);
    take(block(5));
    expect(records(events)).toMatchObject([{ slot: 5n, unixTimestamp: 77n, version: 'legacy' }]);
  });

  it('goes without a time when the slot is confirmed before its block meta, or there is none', () => {
    const { events, take } = open();
    take(transaction(5), status(5, 1), block(5));
    expect(records(events)).toMatchObject([{ unixTimestamp: null }]);
    take(transaction(6), status(7, 1));
    expect(records(events)).toMatchObject([{ slot: 5n }, { slot: 6n, unixTimestamp: null }]);
  });

  it('tells at once what comes after its slot', () => {
    const { events, take } = open();
    take(block(5), status(5, 1), transaction(5));
    expect(records(events)).toMatchObject([{ slot: 5n, unixTimestamp: 77n }]);
  });

  it.each([
    ['was left out', undefined],
    ['has no inner instructions', { ...META, innerInstructionsNone: true }],
    ['has too few balances', { ...META, preBalances: [] }],
    [
      'names a token account that is not there',
      {
        ...META,
        preTokenBalances: [{ accountIndex: 9, mint: '', owner: '', programId: '', uiTokenAmount: undefined }],
      },
    ],
  ])('tells that a transaction landed, without a record, when what it did %s', (_, meta) => {
    const { events, take } = open();
    take({ ...transaction(5), ...(meta === undefined ? withoutMeta() : transaction(5, meta)) }, block(5));
    expect(events).toMatchObject([
      { kind: 'transaction', slot: 5n, record: null, logs: meta === undefined ? null : ['log'] },
    ]);
  });

  describe('of a slot that had several banks', () => {
    const OLD = '7';
    const NEW = '8';
    const ofBank = <K extends 'slot' | 'blockMeta' | 'transaction'>(update: GeyserUpdate, kind: K, bankId: string) => ({
      ...update,
      [kind]: { ...update[kind], bankId },
    });
    const write = (bankId: string | undefined, writeVersion: string): GeyserUpdate => {
      const content = { lamports: '1', executable: false, rentEpoch: '0', data: Uint8Array.of(Number(bankId)) };
      const account = {
        ...content,
        pubkey: KEY,
        owner: new Uint8Array(32).fill(1),
        writeVersion,
        txnSignature: undefined,
      };
      return { ...NOTHING, account: { account, slot: '5', isStartup: false, bankId } as never };
    };
    const written = (events: readonly ProgramEvent[]) =>
      events.flatMap((event) => (event.kind === 'account' ? [event.writeVersion] : []));
    const landed = (bankId: string) => ofBank(transaction(5), 'transaction', bankId);

    it('tells what happened in the confirmed one, though another wrote later', () => {
      const { events, take } = open();
      take(write(NEW, '1'), landed(NEW), write(OLD, '2'), landed(OLD), ofBank(block(5), 'blockMeta', NEW));
      take(ofBank(status(5, 1), 'slot', NEW));
      expect(written(events)).toEqual([1n]);
      expect(records(events)).toMatchObject([{ slot: 5n, unixTimestamp: 77n }]);
      take(write(OLD, '3'), landed(OLD), write(NEW, '4'));
      expect(written(events)).toEqual([1n, 4n]);
      expect(records(events)).toHaveLength(1);
    });

    it('believes the status more than a block meta, and that more than numbers', () => {
      const byStatus = open();
      byStatus.take(write(OLD, '1'), write(NEW, '2'), ofBank(block(5), 'blockMeta', NEW));
      byStatus.take(ofBank(status(5, 1), 'slot', OLD));
      expect(written(byStatus.events)).toEqual([1n]);
      const byMeta = open();
      byMeta.take(write(OLD, '1'), write(NEW, '2'), ofBank(block(5), 'blockMeta', OLD), status(5, 1));
      expect(written(byMeta.events)).toEqual([1n]);
      const byNumber = open();
      byNumber.take(write(NEW, '1'), write(OLD, '2'), status(5, 1));
      expect(written(byNumber.events)).toEqual([1n]);
    });

    it('takes no account for closed by a transaction of another', () => {
      const closing = { ...META, preBalances: ['10', '3', '0'], postBalances: ['13', '0', '0'] };
      const { events, take } = open();
      const update = landed(OLD);
      const inner = update.transaction?.transaction;
      const message = inner?.transaction?.message;
      if (inner === undefined || message === undefined) throw new Error();
      message.accountKeys.splice(1, 0, new Uint8Array(32).fill(9));
      Object.assign(message.instructions[0] ?? {}, { programIdIndex: 2, accounts: new Uint8Array([1]) });
      inner.meta = closing;
      take(update, write(NEW, '1'), ofBank(status(5, 1), 'slot', NEW));
      expect(written(events)).toEqual([1n]);
      const other = open();
      other.take(ofBank(update, 'transaction', NEW), ofBank(status(5, 1), 'slot', NEW));
      expect(written(other.events)).toEqual([null]);
    });

    it('tells all of a slot whose server names no bank', () => {
      const { events, take } = open();
      take(write(undefined, '1'), ofBank(transaction(5), 'transaction', '0'), ofBank(block(5), 'blockMeta', '0'));
      expect(written(events)).toEqual([1n]);
      expect(records(events)).toHaveLength(1);
    });
  });

  it('says how far the chain has come, upward only, once it knows a root', () => {
    const { events, take } = open();
    take(status(3, 2), status(40, 1), status(9, 2), status(41, 1), status(40, 1), status(10, 2), status(42, 1));
    expect(events).toEqual([
      { kind: 'slot', slot: 41n, root: 9n },
      { kind: 'slot', slot: 42n, root: 10n },
    ]);
  });

  it('leaves out what was told before when it is told again, and nothing else', () => {
    const first = open();
    first.take(status(40, 1), status(9, 2), block(42), status(42, 1));
    expect(first.told.resumeFrom).toBe(10n);
    const again = open(first.told, true);
    again.take(...[40, 41, 42, 43].flatMap((slot) => [transaction(slot), block(slot), status(slot, 1)]));
    expect(records(again.events).map((record) => record?.slot)).toEqual([41n, 43n]);
    const fresh = open(first.told);
    fresh.take(transaction(42), block(42));
    expect(records(fresh.events)).toHaveLength(1);
  });
});

describe('ToldSlots', () => {
  it('goes on after the root, and at what was told when nothing later need be there', () => {
    const told = new ToldSlots();
    expect(told.resumeFrom).toBeNull();
    told.add(40n);
    expect(told.resumeFrom).toBe(40n);
    told.finalize(30n);
    told.finalize(20n);
    expect(told.resumeFrom).toBe(31n);
    told.finalize(40n);
    expect(told.resumeFrom).toBe(40n);
    expect([...told.list()]).toEqual([40n]);
  });
});

function withoutMeta(): GeyserUpdate {
  const update = transaction(5);
  const inner = update.transaction?.transaction;
  return inner === undefined
    ? update
    : { ...update, transaction: { slot: '5', transaction: { ...inner, meta: undefined } } };
}
