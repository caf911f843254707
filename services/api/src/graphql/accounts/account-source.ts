import type { AccountRow } from '@lending/store';
import DataLoader from 'dataloader';
import { maxBorrowsOf } from '#reads/account-capacity.ts';
import { type AccountOrders, describeAccount, NO_ORDERS } from '#reads/account-record.ts';
import { type AccountValue, valueAccount } from '#reads/account-value.ts';
import { describeHealth, describeStress, liquidationPointsOf } from '#reads/health-record.ts';
import type { MeasureSnapshot } from '#reads/measure-set.ts';
import type { HealthFigures, HealthStress } from '#records/health-fields.ts';
import type { Account, MaxBorrow } from '#records/position-fields.ts';
import { dateAnswer, measuresOf, momentOf } from '#tools/account-answer.ts';
import type { GraphqlContext } from '../context.ts';

/** For `context.once`: all accounts of one answer are valued with the same banks. */
export function measureSnapshot({ reads }: GraphqlContext): Promise<MeasureSnapshot> {
  return reads.measures.get();
}

/** What an account's fields are read from. Each figure is computed when its field is asked for: what can be borrowed takes milliseconds. */
export class AccountSource {
  readonly row: AccountRow;
  /** Of which interest and premiums are, unix seconds. */
  readonly #moment: bigint;
  readonly #snapshot: MeasureSnapshot;
  readonly #orders: DataLoader<string, AccountOrders>;
  #value: AccountValue | undefined;
  #record: Account | undefined;

  constructor(row: AccountRow, moment: bigint, snapshot: MeasureSnapshot, orders: DataLoader<string, AccountOrders>) {
    this.row = row;
    this.#moment = moment;
    this.#snapshot = snapshot;
    this.#orders = orders;
  }

  /** The account as the other doors show it, but for what is computed below. */
  get record(): Account {
    this.#record ??= describeAccount(this.value, { ...this.#snapshot, borrowable: [] }, NO_ORDERS);
    return this.#record;
  }

  get health(): HealthFigures {
    return describeHealth(this.value, liquidationPointsOf(this.value));
  }

  get stress(): readonly HealthStress[] {
    return describeStress(this.value);
  }

  get maxBorrow(): readonly MaxBorrow[] | null {
    return maxBorrowsOf(this.value, this.#snapshot.borrowable);
  }

  /** Only accounts that say they have orders are asked for them. */
  async orders(): Promise<Pick<Account, 'orders' | 'rebalance_orders'>> {
    if (this.row.active_orders === 0) return this.record;
    const orders = await this.#orders.load(this.row.address);
    return describeAccount(this.value, { ...this.#snapshot, borrowable: [] }, orders);
  }

  get value(): AccountValue {
    this.#value ??= valueAccount(this.row, this.#snapshot, this.#moment);
    return this.#value;
  }
}

/** For `context.once`. */
function orderLoader({ reads }: GraphqlContext): DataLoader<string, AccountOrders> {
  return new DataLoader(async (accounts) => {
    const [orders, rebalanceOrders] = await Promise.all([
      reads.store.readOrdersOf(accounts),
      reads.store.readRebalanceOrdersOf(accounts),
    ]);
    const byAccount = Map.groupBy(orders, ({ account }) => account);
    const toRebalance = Map.groupBy(rebalanceOrders, ({ account }) => account);
    return accounts.map((account) => ({
      orders: byAccount.get(account) ?? [],
      rebalanceOrders: toRebalance.get(account) ?? [],
    }));
  });
}

/** The accounts of some rows by their addresses, each as of its own oldest input; `asOf` is that of the oldest. */
export async function openAccounts(rows: readonly AccountRow[], { reads, once }: GraphqlContext) {
  const snapshot = await once(measureSnapshot);
  const orders = once(orderLoader);
  const date = (some: readonly AccountRow[]) =>
    dateAnswer(reads, { isFollowed: true }, some, measuresOf(some, snapshot));
  const opened = rows.map(async (row) => {
    const moment = momentOf(await date([row]));
    return [row.address, new AccountSource(row, moment, snapshot, orders)] as const;
  });
  return { asOf: await date(rows), sources: new Map(await Promise.all(opened)) };
}

/** For `context.once`: accounts by their addresses; null where the tables have none. */
export function accountLoader(context: GraphqlContext): DataLoader<string, AccountSource | null> {
  return new DataLoader(async (addresses) => {
    const rows = await context.reads.store.readAccountsAt(addresses);
    const { sources } = await openAccounts(rows, context);
    return addresses.map((address) => sources.get(address) ?? null);
  });
}
