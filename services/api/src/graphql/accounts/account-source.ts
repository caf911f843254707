import type { AccountRow } from '@lending/store';
import DataLoader from 'dataloader';
import { maxBorrowsOf } from '#reads/account-capacity.ts';
import { type AccountOrders, describeAccount, NO_ORDERS } from '#reads/account-record.ts';
import { type AccountValue, valueAccount } from '#reads/account-value.ts';
import { describeHealth, describeStress, liquidationPointsOf } from '#reads/health-record.ts';
import type { MeasureSnapshot } from '#reads/measure-set.ts';
import type { HealthFigures, HealthStress } from '#records/health-fields.ts';
import type { Account, MaxBorrow } from '#records/position-fields.ts';
import type { GraphqlContext } from '../context.ts';

/** For `context.once`: all accounts of one answer are valued with the same banks. */
export function measureSnapshot({ reads }: GraphqlContext): Promise<MeasureSnapshot> {
  return reads.measures.get();
}

/** What an account's fields are read from. Each figure is computed when its field is asked for: what can be borrowed takes milliseconds. */
export class AccountSource {
  readonly row: AccountRow;
  readonly #snapshot: MeasureSnapshot;
  readonly #orders: DataLoader<string, AccountOrders>;
  #value: AccountValue | undefined;
  #record: Account | undefined;

  constructor(row: AccountRow, snapshot: MeasureSnapshot, orders: DataLoader<string, AccountOrders>) {
    this.row = row;
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
    this.#value ??= valueAccount(this.row, this.#snapshot);
    return this.#value;
  }
}

/** For `context.once`. */
export function orderLoader({ reads }: GraphqlContext): DataLoader<string, AccountOrders> {
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

/** For `context.once`: accounts by their addresses; null where the tables have none. */
export function accountLoader(context: GraphqlContext): DataLoader<string, AccountSource | null> {
  return new DataLoader(async (addresses) => {
    const [rows, snapshot] = await Promise.all([
      context.reads.store.readAccountsAt(addresses),
      context.once(measureSnapshot),
    ]);
    const byAddress = new Map(rows.map((row) => [row.address, row]));
    return addresses.map((address) => {
      const row = byAddress.get(address);
      return row === undefined ? null : new AccountSource(row, snapshot, context.once(orderLoader));
    });
  });
}
