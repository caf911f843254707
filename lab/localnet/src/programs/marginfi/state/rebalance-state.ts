import {
  marginfiAccountLayout,
  NO_KEY,
  type RebalanceOrder,
  type RebalanceRecord,
  rebalanceOrderLayout,
  rebalanceRecordLayout,
} from '@lending/programs';
import { hasBytesAt } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { type Loader, type NamedAccount, toLoader } from '#programs/anchor/account-reader.ts';
import { defineView } from '#programs/anchor/field.ts';
import { fail } from '../marginfi-error.ts';
import { type AccountState, hasFlag, MARGINFI_ACCOUNT } from './account-state.ts';

/** A standing order to rebalance. Its fields are read all at once: an instruction looks at most of them. */
export const REBALANCE_ORDER = {
  discriminator: rebalanceOrderLayout.discriminator,
  leastSize: () => rebalanceOrderLayout.fixedSize,
  view: (data: Uint8Array): RebalanceOrder => rebalanceOrderLayout.decode(data),
} as const;

/** One execution of such an order. */
export const REBALANCE_RECORD = {
  discriminator: rebalanceRecordLayout.discriminator,
  leastSize: () => rebalanceRecordLayout.fixedSize,
  view: (data: Uint8Array): RebalanceRecord => rebalanceRecordLayout.decode(data),
} as const;

/** Writes an order; the instruction must have checked that it may. */
export function storeOrder({ account }: NamedAccount, order: RebalanceOrder): void {
  account.writableData().set(rebalanceOrderLayout.encode(order));
}

/** A record whose lists are no longer than what they hold. */
type ShortRecord = Pick<RebalanceRecord, 'order' | 'marginfiAccount' | 'executor'> & {
  readonly [List in 'refBanks' | 'moves' | 'balanceStates' | 'preRate']: Readonly<RebalanceRecord[List]>;
};

/** Writes a record as a start leaves it; unused places of its lists are zero. */
export function storeNewRecord({ account }: NamedAccount, record: ShortRecord): void {
  const [pad0, none] = [new Uint8Array(6), { bank: NO_KEY, _pad0: new Uint8Array(6), tag: 0 }];
  const whole = {
    ...record,
    refBanks: filled(record.refBanks, 8, { ...none, preUnderlying: 0n }),
    moves: filled(record.moves, 8, { srcIndex: 0, dstIndex: 0, _pad0: pad0, amount: 0n }),
    balanceStates: filled(record.balanceStates, 15, { ...none, _pad0: new Uint8Array(5), isAsset: 0, shares: 0n }),
    preRate: filled(record.preRate, 8, 0n),
    refBankCount: record.refBanks.length,
    moveCount: record.moves.length,
    activeBalanceCount: record.balanceStates.length,
    moveYieldIndex: filled([], 8, 0n),
    ...{ moveTimestamp: 0n, pendingTip: 0n, settleDelay: 0n, _pad0: new Uint8Array(5) },
  };
  account.writableData().set(rebalanceRecordLayout.encode(whole));
}

/** Writes a record that a rebalance has ended; the instruction must have checked that it may. */
export function storeEndedRecord(
  { account }: NamedAccount,
  record: RebalanceRecord,
  ended: {
    readonly yieldIndices: readonly bigint[];
    readonly unixTimestamp: bigint;
    readonly tip: bigint;
    readonly settleDelay: bigint;
  },
): void {
  const { yieldIndices, unixTimestamp: moveTimestamp, tip: pendingTip, settleDelay } = ended;
  const moveYieldIndex = filled(yieldIndices, 8, 0n);
  const whole = { ...record, moveYieldIndex, moveTimestamp, pendingTip, settleDelay };
  account.writableData().set(rebalanceRecordLayout.encode(whole));
}

function filled<T>(values: readonly T[], size: number, empty: T): T[] {
  return [...values, ...Array.from({ length: size - values.length }, () => empty)];
}

/** What an execution reads and changes of an account besides its balances. */
export const executionFieldsOf = defineView(marginfiAccountLayout, 'rebalanceExecutionSeq, liquidationTaggedAt');

/** The banks of an order, in their order. */
export function allowedBanksOf({ allowedBanks, allowedBankCount }: RebalanceOrder): RebalanceOrder['allowedBanks'] {
  return allowedBanks.slice(0, allowedBankCount);
}

/**
 * An account that its owner may have closed since: null then.
 * @throws AnchorError InternalLogicError for what is something else.
 */
export function loadUnlessClosed(context: InvokeContext, named: NamedAccount): Loader<AccountState> | null {
  const { account } = named;
  if (account.owner === SYSTEM_PROGRAM && account.data.length === 0) return null;
  const { discriminator } = MARGINFI_ACCOUNT;
  const isOne = account.owner === context.programId && account.data.length >= marginfiAccountLayout.fixedSize;
  if (!isOne || !hasBytesAt(account.data, 0, discriminator)) fail('InternalLogicError');
  return toLoader(context, named, MARGINFI_ACCOUNT);
}

/** What keeps an account from new orders and from what executes them. */
export function isBusy(account: AccountState): boolean {
  return isBlocked(account) || hasFlag(account, 'inOrderExecution', 'inRebalance');
}

/** @see marginfi-v2 type-crate/src/types/user_account.rs `ORDER_BLOCKING_FLAGS` */
export function isBlocked(account: AccountState): boolean {
  return hasFlag(account, 'disabled', 'inFlashLoan', 'frozen', 'inReceivership', 'inDeleverage');
}

/** Closes a record; its lamports go to the executor, who paid its rent. */
export function closeRecord(context: InvokeContext, { account }: NamedAccount, executor: NamedAccount): void {
  executor.account.lamports += account.lamports;
  account.lamports = 0n;
  context.closeAccount(account);
}
