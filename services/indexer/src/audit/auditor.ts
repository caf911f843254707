import {
  type AuditBook,
  type AuditRow,
  auditAccount,
  auditBank,
  type BankStates,
  type Comparison,
  createAuditBook,
} from '@lending/audit';
import type { AccountUpdate } from '@lending/chain';
import { describeError } from '@lending/errors';
import { bankLayout, placeOf } from '@lending/programs';
import type { Logger } from '@lending/runtime';
import {
  decodeBank,
  decodeGroup,
  decodeMarginfiAccount,
  kindOfAccount,
  type P0Account,
  type P0Bank,
  type P0Group,
} from '@lending/venues';
import type { Address, Slot } from '@solana/kit';
import type { ProgramSink } from '#watch/program-stream.ts';
import { programVersionOf } from './program-version.ts';

export interface AuditorOptions {
  readonly program: Address;
  readonly group: Address;
  readonly logger: Logger;
}

/**
 * Compares our figures with the program's own wherever an instruction wrote them, from the bytes that the stream brings. It reads nothing, and
 * holds nothing up: what it cannot compare, it leaves out.
 */
export interface Auditor extends ProgramSink {
  /**
   * Goes on from what earlier processes found; what is written before is compared then. Takes over later what others find that compare the
   * same chain, and may have seen what this one missed.
   */
  recall(rows: readonly AuditRow[]): void;
  /** A bank or the group as it was read from a node: what the stream did not bring. */
  read(account: AccountUpdate): void;
  /** Slots above this one may have been of a fork that lost: nothing of them is a state before what comes, nor a difference. */
  takeBack(aboveSlot: Slot): void;
  /** Rows that changed since the last call. */
  take(): readonly AuditRow[];
  /** Puts rows back that could not be passed on, where nothing newer came since. */
  putBack(rows: readonly AuditRow[]): void;
}

/** Accounts whose last state is kept, the newest ones: 2,312 bytes each. */
const KEPT_ACCOUNTS = 4_000;

/** Instructions that lock prices, or what is done while they are, as the program logs them. */
const LOCKING = /^Program log: Instruction: (Start|End)(Liquidation|Deleverage)|^Program log: Instruction: \w*Purge/;

/** Services that speak for several nodes bring some accounts of a slot after its end. */
const LATE_SLOTS = 2n;

/** Slots that wait for the start; after more the oldest are passed over. */
const KEPT_SLOTS = 150;

/** What was written in one slot, by address; of each account all states, in their order. */
interface Written {
  readonly streamed: Map<Address, AccountUpdate[]>;
  readonly read: AccountUpdate[];
}

interface Kept<T> {
  readonly slot: Slot;
  readonly data: Uint8Array;
  readonly state: T;
}

export function createAuditor({ program, group, logger }: AuditorOptions): Auditor {
  /** Null before it is known what an earlier process found. */
  let book: AuditBook | null = null;
  const slots = new Map<Slot, Written>();
  const banks = new Map<Address, Kept<P0Bank>>();
  const accounts = new Map<Address, P0Account>();
  let terms: Kept<P0Group> | null = null;
  const changed = new Map<string, AuditRow>();
  const unverified = new Set<string>();
  /** Slots in which prices were locked, or debts cleared out of a bank: what changes a bank's totals then leaves its rates. */
  const slotsOfLocks = new Set<Slot>();
  /** When a bank's settings were seen to change last: before, its figures said nothing of them. */
  const settingsChanged = new Map<Address, Slot>();

  function writtenIn(slot: Slot): Written {
    const known = slots.get(slot);
    if (known !== undefined) return known;
    const written = { streamed: new Map(), read: [] };
    slots.set(slot, written);
    return written;
  }

  function forgetStates(): void {
    banks.clear();
    accounts.clear();
  }

  function note(comparisons: readonly Comparison[], slot: Slot): void {
    if (book === null) return;
    for (const row of book.note(comparisons, slot, (bank) => settingsChanged.get(bank) ?? 0n)) {
      changed.set(keyOf(row), row);
      report(row);
    }
  }

  /** Says when a figure is not trusted any more, and when it is again; not each time that it differs. */
  function report(row: AuditRow): void {
    const { bank, figure, lastDifference } = row;
    if (isUnverified(row) === unverified.has(keyOf(row))) return;
    if (isUnverified(row)) {
      unverified.add(keyOf(row));
      logger.error('bank.audit.differ', { bank, figure, ...lastDifference });
    } else {
      unverified.delete(keyOf(row));
      logger.info('bank.audit.agree', { bank, figure });
    }
  }

  /** Takes over what was read where the stream brought something else: then it missed a state, and what follows is of no pair. */
  function adopt(update: AccountUpdate): void {
    const { address, slot, data } = update;
    if (address === group) {
      if (terms === null || terms.slot < slot) terms = keep(update, decodeGroup);
      return;
    }
    const known = banks.get(address);
    if (known !== undefined && (known.slot > slot || Buffer.compare(known.data, data) === 0)) return;
    const kept = keep(update, decodeBank);
    if (kept === null) banks.delete(address);
    else banks.set(address, kept);
  }

  function keep<T>(update: AccountUpdate, decode: (account: AccountUpdate, program: Address) => T): Kept<T> | null {
    try {
      return { slot: update.slot, data: update.data, state: decode(update, program) };
    } catch {
      // Whoever indexes it says that it cannot be read.
      return null;
    }
  }

  /** Numbers that no account should have must not end the stream. */
  function guard({ address, slot }: Pick<AccountUpdate, 'address' | 'slot'>, compare: () => void): void {
    try {
      compare();
    } catch (error) {
      logger.warn('bank.audit.skip', { address, slot, reason: describeError(error) });
    }
  }

  function auditSlot(slot: Slot, { streamed, read }: Written): void {
    const before = new Map(banks);
    const isGroupAsBefore = !streamed.has(group);
    const lending: [Address, AccountUpdate[]][] = [];
    for (const [address, updates] of streamed) {
      const [first] = updates;
      const kind = first === undefined ? null : kindOfAccount(first.data);
      if (kind === 'account') lending.push([address, updates]);
      else if (kind === 'bank') for (const update of updates) guard(update, () => auditOne(update, isGroupAsBefore));
      else if (address === group) for (const update of updates) terms = keep(update, decodeGroup);
    }
    for (const update of read) adopt(update);
    for (const [address, updates] of lending) {
      guard({ address, slot }, () => auditStates(address, updates, { slot, before, isGroupAsBefore }));
    }
  }

  function auditOne(update: AccountUpdate, isGroupAsBefore: boolean): void {
    const { address, slot } = update;
    const known = banks.get(address);
    if (known !== undefined && known.slot > slot) return;
    const kept = keep(update, decodeBank);
    if (kept === null) {
      banks.delete(address);
      return;
    }
    banks.set(address, kept);
    if (known !== undefined && !haveSameSettings(known.data, kept.data)) settingsChanged.set(address, slot);
    if (known === undefined || terms === null || !isGroupAsBefore) return;
    const compared = auditBank(known.state, kept.state, terms.state);
    note(slotsOfLocks.has(slot) ? compared.filter(({ figure }) => figure !== 'rates') : compared, slot);
  }

  function auditStates(
    address: Address,
    updates: readonly AccountUpdate[],
    at: { readonly slot: Slot; readonly before: ReadonlyMap<Address, Kept<P0Bank>>; readonly isGroupAsBefore: boolean },
  ): void {
    for (const update of updates) {
      const kept = keep(update, decodeMarginfiAccount);
      const known = accounts.get(address) ?? null;
      accounts.delete(address);
      if (kept === null) continue;
      accounts.set(address, kept.state);
      // A cache that is seen for the first time may be of a check long ago, under other settings.
      if (known === null || terms === null || !at.isGroupAsBefore) continue;
      const states = statesOf(kept.state, at.before);
      const version = programVersionOf(
        terms.data.length,
        [...states.keys()].map((bank) => banks.get(bank)?.data.length ?? 0),
      );
      if (version === null) continue;
      const { state: group } = terms;
      // Oracles are the poller's: maintenance is compared where it takes the price that the account shows.
      const oracles = { prices: new Map(), arePricesOfCheck: false };
      note(auditAccount({ before: known, after: kept.state, banks: states, ...oracles, group, version }), at.slot);
    }
    const [oldest] = accounts.keys();
    if (accounts.size > KEPT_ACCOUNTS && oldest !== undefined) accounts.delete(oldest);
  }

  /** The banks of an account's balances that are known, as they stood before the slot and at its end. */
  function statesOf({ balances }: P0Account, before: ReadonlyMap<Address, Kept<P0Bank>>): Map<Address, BankStates> {
    return new Map(
      balances.flatMap(({ bank }) => {
        const [was, is] = [before.get(bank), banks.get(bank)];
        return was === undefined || is === undefined ? [] : [[bank, { before: was.state, after: is.state }]];
      }),
    );
  }

  return {
    /** What was missed may have changed anything: nothing that was seen before is the state before what comes. */
    async gap({ toSlot }) {
      forgetStates();
      terms = null;
      for (const slot of slots.keys()) if (slot < toSlot) slots.delete(slot);
    },
    takeBack(aboveSlot) {
      forgetStates();
      for (const row of book?.takeBack(aboveSlot) ?? []) {
        changed.set(keyOf(row), row);
        report(row);
      }
    },
    account({ update }) {
      if (update.data.length === 0) return;
      const { streamed } = writtenIn(update.slot);
      const states = streamed.get(update.address);
      if (states === undefined) streamed.set(update.address, [update]);
      else states.push(update);
    },
    recall(rows) {
      if (book === null) {
        book = createAuditBook(rows);
        for (const row of rows.filter(isUnverified)) unverified.add(keyOf(row));
      } else for (const row of book.adopt(rows)) report(row);
    },
    read: (account) => void writtenIn(account.slot).read.push(account),
    transaction({ slot, logs, record }) {
      if ((logs ?? record?.logs ?? []).some((line) => LOCKING.test(line))) slotsOfLocks.add(slot);
    },
    /** Accounts of a slot come in any order: they are compared when all of them are there. */
    slot({ slot }) {
      if (book === null && slots.size <= KEPT_SLOTS) return;
      const ended = [...slots.keys()].filter((each) => each < slot - LATE_SLOTS).sort((a, b) => (a < b ? -1 : 1));
      for (const each of ended) {
        const written = slots.get(each);
        slots.delete(each);
        if (written !== undefined) auditSlot(each, written);
        slotsOfLocks.delete(each);
      }
    },
    take() {
      const rows = [...changed.values()];
      changed.clear();
      return rows;
    },
    putBack(rows) {
      for (const row of rows) if (!changed.has(keyOf(row))) changed.set(keyOf(row), row);
    },
    room: () => null,
    durableSlot: () => null,
  };
}

/** Where a bank's bytes hold what an administrator decides. */
const SETTINGS = ['config', 'emode'].map((field) => placeOf(bankLayout, field));

function haveSameSettings(before: Uint8Array, after: Uint8Array): boolean {
  return SETTINGS.every(({ offset, type }) => {
    const [was, is] = [before, after].map((data) => data.subarray(offset, offset + type.fixedSize));
    return was !== undefined && is !== undefined && Buffer.compare(was, is) === 0;
  });
}

function isUnverified({ unverifiedSince }: AuditRow): boolean {
  return unverifiedSince !== null;
}

function keyOf({ bank, figure }: AuditRow): string {
  return `${bank} ${figure}`;
}
