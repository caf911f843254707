import type { Message, MessageSource } from '@lending/events';
import { type AccountBytes, decodeMarginfiAccount, decodeOrder } from '@lending/venues';
import type { Address, Slot } from '@solana/kit';
import { describeAccount } from '#decode/describe-account.ts';
import { describeOrder } from '#decode/describe-order.ts';
import { toAccountUpdated } from './account-updated.ts';
import { toOrderUpdated } from './order-updated.ts';
import type { Version } from './version-table.ts';

/** A lending account, or a standing order of one, as it was seen. */
export interface SeenState extends Version {
  readonly kind: 'account' | 'order';
  readonly address: Address;
  /** Null: the chain has no such account (any more). */
  readonly bytes: AccountBytes | null;
  /** Published even if it says what was published last: the tables may have forgotten it. */
  readonly isAsked: boolean;
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
    };

/**
 * What was seen, in words. `accountOf`: whose an order that is gone was; null where nobody knows, and then there is nothing to say.
 * @throws DECODE__* for bytes that are not what they should be.
 */
export function describeState(
  { kind, address, bytes }: SeenState,
  program: Address,
  accountOf: (order: Address) => Address | null,
): DescribedState | null {
  if (kind === 'account') {
    return { kind, account: address, state: bytes && describeAccount(decodeMarginfiAccount(bytes, program)) };
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
  const { order, account, state } = described;
  return toOrderUpdated({ order, account, writeVersion: text, state }, moment, source);
}
