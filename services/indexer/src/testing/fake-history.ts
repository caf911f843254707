import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain, SignatureEntry, TransactionRecord } from '@lending/chain';
import { LendingError } from '@lending/errors';
import { anyAddress, GROUP } from '@lending/fakes';
import {
  encodeEvent,
  encodeInstruction,
  MARGINFI_PROGRAM,
  marginfiAccountCreateEvent,
  marginfiAccountInitialize,
} from '@lending/programs';
import { type Address, getBase58Decoder, type Slot } from '@solana/kit';
import type { AccountEvent } from '#watch/program-stream.ts';

export interface MadeTransaction {
  readonly signature: string;
  readonly account: Address;
  readonly authority: Address;
  readonly isFailed: boolean;
}

export interface MadeBlock {
  readonly slot: Slot;
  readonly transactions: readonly MadeTransaction[];
}

/** Transactions of one chain, its forks and its root, behind the part of `Chain` that activity is read with. */
export interface FakeHistory {
  readonly chain: Chain;
  /** As the chain stands, oldest first. */
  readonly blocks: MadeBlock[];
  root: Slot;
  /** Called before each answer, and may fail it or wait. */
  onRead: (method: string) => Promise<void> | void;
  /** How often a transaction is still answered with null. */
  readonly hidden: Map<string, number>;
  /** Blocks below this slot were thrown away. */
  floor: Slot;
  /** Nothing above this slot is known to the node that lists; null: all is. */
  nodeSlot: Slot | null;
  /** What a page holds at most, whatever is asked for. */
  pageSize: number;
  /** Whether a record comes with the time of its block. */
  hasTimes: boolean;
  readonly asked: string[];
  newest(): Slot;
  /** Makes the nth transaction: one that creates an account. */
  transaction(nth: number, isFailed?: boolean): MadeTransaction;
  record(transaction: MadeTransaction, slot: Slot): TransactionRecord;
}

/** What a source tells of a lending account that changed. */
export function accountChanged(address: Address, slot: Slot): AccountEvent {
  const update = { address, slot, owner: MARGINFI_PROGRAM, lamports: 1n, data: new Uint8Array() };
  return { kind: 'account', update, writeVersion: null };
}

const SLOT_ZERO_SECONDS = 1_777_000_000n;

/** Unix seconds of a slot's block. */
export function secondsOf(slot: Slot): bigint {
  return SLOT_ZERO_SECONDS + slot / 2n;
}

export function createFakeHistory(): FakeHistory {
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  const find = (signature: string) => {
    for (const block of history.blocks.toReversed()) {
      const transaction = block.transactions.find((one) => one.signature === signature);
      if (transaction !== undefined) return { block, transaction };
    }
    return null;
  };
  const send = <T>(method: string, answer: () => T) => ({
    async send() {
      await history.onRead(method);
      return answer();
    },
  });
  const rpc = {
    getBlockTime: (slot: Slot) => send('getBlockTime', () => (history.hasTimes ? secondsOf(slot) : null)),
    getFirstAvailableBlock: () => send('getFirstAvailableBlock', () => history.floor),
    getBlock: () => send('getBlock', () => ({ blockHeight: 1_000n })),
  };
  const history: FakeHistory = {
    blocks: [],
    root: 0n,
    onRead: () => undefined,
    hidden: new Map(),
    floor: 0n,
    nodeSlot: null,
    pageSize: 1_000,
    hasTimes: true,
    asked: [],
    newest: () => history.blocks.at(-1)?.slot ?? 0n,
    transaction: (nth, isFailed = false) => ({
      signature: signatureOf(nth),
      account: anyAddress(1_000 + (nth % 7)),
      authority: anyAddress(2_000 + (nth % 3)),
      isFailed,
    }),
    record: ({ signature, account, authority, isFailed }, slot) => {
      const names = { marginfiGroup: GROUP, marginfiAccount: account, authority, feePayer: authority };
      const accounts = Object.fromEntries(
        marginfiAccountInitialize.accounts.map(({ name }) => [name, anyAddress(3_000)]),
      );
      const built = encodeInstruction(
        marginfiAccountInitialize,
        MARGINFI_PROGRAM,
        { ...accounts, ...names } as never,
        {} as never,
      );
      const event = encodeEvent(marginfiAccountCreateEvent, {
        header: {
          signer: authority,
          marginfiAccount: account,
          marginfiAccountAuthority: authority,
          marginfiGroup: GROUP,
        },
      } as never);
      return {
        signature,
        slot,
        unixTimestamp: history.hasTimes ? secondsOf(slot) : null,
        version: 0,
        isFailed,
        instructions: [
          {
            instructionIndex: 0,
            innerIndex: null,
            depth: 1,
            programId: MARGINFI_PROGRAM,
            accounts: (built.accounts ?? []).map(({ address }) => address),
            data: Uint8Array.from(built.data ?? []),
          },
        ],
        logs: [
          `Program ${MARGINFI_PROGRAM} invoke [1]`,
          `Program data: ${Buffer.from(event).toString('base64')}`,
          `Program ${MARGINFI_PROGRAM} success`,
        ],
        feePayer: authority,
        signers: [authority],
        writable: [account, authority],
        feeLamports: 5_000n,
        lamports: [],
        tokenBalances: [],
      };
    },
    chain: {
      source: 'localnet',
      host: 'fake:8899',
      get rpc() {
        return rpc as unknown as Chain['rpc'];
      },
      ofOneNode: unused,
      fetchAccounts: unused,
      fetchAccountGroups: unused,
      listProgramAccounts: unused,
      fetchProgramAccounts: unused,
      fetchTransactions: unused,
      fetchTokenAccountsOfOwner: unused,
      fetchGenesisHash: unused,
      fetchSlot: async () => history.newest(),
      fetchSlotTime: async () => 500_000n,
      describeNode: unused,
      getEndpoints: unused,
      createPubSubSource: unused,
      createPollingSource: unused,
      observeSource: unused,
      createWalletWatch: unused,
      assertSameCluster: unused,
      getHighestSlot: () => history.newest(),
      async fetchTransaction(signature) {
        history.asked.push(signature);
        await history.onRead('fetchTransaction');
        const hidden = history.hidden.get(signature) ?? 0;
        if (hidden > 0) {
          history.hidden.set(signature, hidden - 1);
          return null;
        }
        const found = find(signature);
        if (found === null || found.block.slot < history.floor) return null;
        return history.record(found.transaction, found.block.slot);
      },
      async fetchSignatures(address, { before, untilSlot = -1n, limit: wanted = 1_000, minContextSlot = 0n } = {}) {
        const limit = Math.min(wanted, history.pageSize);
        await history.onRead('fetchSignatures');
        const top = history.nodeSlot ?? history.newest();
        if (minContextSlot > top) throw new LendingError('CHAIN__RPC_UNAVAILABLE', { message: 'the node is behind' });
        const listed: SignatureEntry[] = history.blocks
          .filter(({ slot }) => slot <= top && slot >= history.floor)
          .flatMap(({ slot, transactions }) =>
            transactions
              .filter((one) => [MARGINFI_PROGRAM, one.account, one.authority].includes(address))
              .map(({ signature, isFailed }) => ({
                signature,
                slot,
                isFailed,
                unixTimestamp: secondsOf(slot),
                finality: slot <= history.root ? ('finalized' as const) : ('confirmed' as const),
              })),
          )
          .reverse();
        const at = before === undefined ? -1 : listed.findIndex(({ signature }) => signature === before);
        if (before !== undefined && at < 0) return { kind: 'unknown' };
        const page = listed.slice(at + 1, at + 1 + limit);
        const signatures = page.filter(({ slot }) => slot > untilSlot);
        const isLast = page.length < limit || signatures.length < page.length;
        return { kind: 'page', signatures, next: isLast ? null : (signatures.at(-1)?.signature ?? null) };
      },
      async fetchRootedSlots(fromSlot, toSlot) {
        await history.onRead('fetchRootedSlots');
        const top = history.root < toSlot ? history.root : toSlot;
        const low = history.floor > fromSlot ? history.floor : fromSlot;
        if (low > top) return { known: null, slots: [] };
        const slots = history.blocks.map(({ slot }) => slot).filter((slot) => slot >= low && slot <= top);
        const last = slots.at(-1);
        return last === undefined ? { known: null, slots: [] } : { known: { fromSlot: low, toSlot: last }, slots };
      },
    },
  };
  return history;
}

function signatureOf(nth: number): string {
  const bytes = new Uint8Array(64).fill(7);
  new DataView(bytes.buffer).setUint32(0, nth + 1);
  return getBase58Decoder().decode(bytes);
}

/** Answers take a moment, some longer than others. */
export async function shortWait(random: () => number): Promise<void> {
  if (random() < 0.5) await sleep(random() * 3);
}
