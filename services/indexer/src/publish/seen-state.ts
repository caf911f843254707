import type { Message, MessageSource } from '@lending/events';
import { type AccountBytes, decodeMarginfiAccount, decodeOrder, decodeRebalanceOrder } from '@lending/venues';
import type { Address, Slot } from '@solana/kit';
import { describeAccount } from '#decode/describe-account.ts';
import { describeOrder } from '#decode/describe-order.ts';
import { describeRebalanceOrder } from '#decode/describe-rebalance-order.ts';
import { toAccountUpdated } from './account-updated.ts';
import { toOrderUpdated, toRebalanceUpdated } from './order-updated.ts';
import type { Version } from './version-table.ts';

/** A lending account, or a standing order of one, to rebalance it too, as it was seen. */
export interface SeenState extends Version {
  readonly kind: 'account' | 'order' | 'rebalance_order';
  readonly address: Address;
  /** Null: the chain has no such account (any more). */
  readonly bytes: AccountBytes | null;
  /** Published even if it says what was published last: the tables may have forgotten it. */
  readonly isAsked: boolean;
  /** Of an order to rebalance: what its account's pool for tips holds. */
  readonly feePoolLamports?: bigint;
}

/** What was seen, in words. */
export type DescribedState =
  | {
      readonly kind: 'account';
      readonly account: Address;
      readonly state: ReturnType<typeof describeAccount> | null;
    }
  | {
      readonly kind: 'order';
      readonly order: Address;
      /** The account it stands for. */
      readonly account: Address;
      readonly state: ReturnType<typeof describeOrder> | null;
    }
  | {
      readonly kind: 'rebalance_order';
      readonly order: Address;
      readonly account: Address;
      readonly state: ReturnType<typeof describeRebalanceOrder> | null;
    };

/**
 * What was seen, in words. `accountOf`: whose an order that is gone was; null where nobody knows, and then there is nothing to say.
 * @throws DECODE__* for bytes that are not what they should be.
 */
export function describeState(
  { kind, address, bytes, feePoolLamports = 0n }: SeenState,
  program: Address,
  accountOf: (order: Address) => Address | null,
): DescribedState | null {
  if (kind === 'account') {
    return { kind, account: address, state: bytes && describeAccount(decodeMarginfiAccount(bytes, program)) };
  }
  if (kind === 'rebalance_order') {
    const order = bytes && decodeRebalanceOrder(bytes, program);
    const account = order?.account ?? accountOf(address);
    const state = order && describeRebalanceOrder(order, feePoolLamports);
    return account === null ? null : { kind, order: address, account, state };
  }
  const order = bytes && decodeOrder(bytes, program);
  const account = order?.account ?? accountOf(address);
  return account === null ? null : { kind, order: address, account, state: order && describeOrder(order) };
}

/** The message of a state, of what it was of. */
export function toStateMessage(
  described: DescribedState,
  { slot, writeVersion }: Version,
  { source, timeOf }: { readonly source: MessageSource; readonly timeOf: (slot: Slot) => bigint },
): Message {
  const moment = { slot, unixTimestamp: timeOf(slot) };
  const text = writeVersion?.toString() ?? null;
  if (described.kind === 'account') {
    const { account, state } = described;
    return toAccountUpdated({ account, writeVersion: text, state }, moment, source);
  }
  if (described.kind === 'rebalance_order') {
    const { order, account, state } = described;
    return toRebalanceUpdated({ order, account, writeVersion: text, state }, moment, source);
  }
  const { order, account, state } = described;
  return toOrderUpdated({ order, account, writeVersion: text, state }, moment, source);
}
