import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { newestWriteByKey } from './newest-write-by-key.ts';

/** One slot of an account in use. Shares in full precision as decimal text; `lastUpdate` unix seconds. */
export interface BalanceWrite {
  readonly slotIndex: number;
  readonly bank: string;
  readonly assetTag: number;
  readonly orderTag: number;
  readonly assetShares: string;
  readonly liabilityShares: string;
  readonly lastUpdate: string;
  /** As stored: u32::MAX is 1000 % a year. */
  readonly premiumRate: number;
  /** Base units as decimal text. */
  readonly premiumOutstanding: string;
}

/** A lending account, whole, as it stood at one write of one slot. `slotTime` is an ISO-8601 instant, `lastUpdate` unix seconds. */
export interface AccountWrite {
  readonly address: string;
  /** Null: the account does not exist (any more). */
  readonly state: {
    readonly groupAddress: string;
    readonly authority: string;
    readonly flags: string;
    readonly lastUpdate: string;
    readonly derivation: { readonly index: number; readonly thirdPartyId: number } | null;
    readonly activeOrders: number;
    /** Unix seconds. */
    readonly liquidationTaggedAt: string | null;
    readonly migratedFrom: string | null;
    readonly migratedTo: string | null;
    readonly emissionsDestination: string | null;
    readonly liquidationRecord: string | null;
    readonly balances: readonly BalanceWrite[];
  } | null;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly writeVersion: string | null;
  readonly slotTime: string;
}

/**
 * Writes what accounts are, with their balances. A write older than the one stored changes nothing, neither account nor balances. A
 * closed account has no balances and keeps what is known of whose it was.
 */
export async function upsertAccounts(transaction: Transaction, accounts: readonly AccountWrite[]): Promise<void> {
  const rows = newestWriteByKey(accounts, ({ address }) => address);
  if (rows.length === 0) return;
  const open = newestWriteByKey(
    accounts.filter(({ state }) => state !== null),
    ({ address }) => address,
  );
  const written = await writeAccounts(transaction, rows, new Map(open.map((row) => [row.address, row.state])));
  if (written.size > 0) {
    await writeBalances(
      transaction,
      rows.filter(({ address }) => written.has(address)),
    );
  }
}

/** The rows are locked in order of the addresses, and their balances after them: two transactions never wait in a ring. */
async function writeAccounts(
  transaction: Transaction,
  rows: readonly AccountWrite[],
  /** What the same batch says of them while they were open. */
  lastOpen: ReadonlyMap<string, AccountWrite['state']>,
): Promise<ReadonlySet<string>> {
  const of = <V>(field: (state: NonNullable<AccountWrite['state']>) => V, otherwise: V): V[] =>
    rows.map(({ state }) => (state === null ? otherwise : field(state)));
  const { rows: written } = await sql<{ address: string }>`
    insert into account (
      address, group_address, authority, flags, last_update, derivation_index, third_party_id, active_orders,
      liquidation_tagged_at, migrated_from, migrated_to, emissions_destination, liquidation_record, is_closed, source, slot, write_version, slot_time
    )
    select * from unnest(
      ${rows.map(({ address }) => address)}::text[],
      ${rows.map(({ address }) => lastOpen.get(address)?.groupAddress ?? null)}::text[],
      ${rows.map(({ address }) => lastOpen.get(address)?.authority ?? null)}::text[],
      ${of((state) => state.flags, '0')}::numeric[],
      ${of((state) => state.lastUpdate, '0')}::bigint[],
      ${of<number | null>((state) => state.derivation?.index ?? null, null)}::integer[],
      ${of<number | null>((state) => state.derivation?.thirdPartyId ?? null, null)}::integer[],
      ${of((state) => state.activeOrders, 0)}::smallint[],
      ${of<string | null>((state) => state.liquidationTaggedAt, null)}::bigint[],
      ${of<string | null>((state) => state.migratedFrom, null)}::text[],
      ${of<string | null>((state) => state.migratedTo, null)}::text[],
      ${of<string | null>((state) => state.emissionsDestination, null)}::text[],
      ${of<string | null>((state) => state.liquidationRecord, null)}::text[],
      ${rows.map(({ state }) => state === null)}::boolean[],
      ${rows.map(({ source }) => source)}::text[],
      ${rows.map(({ slot }) => slot)}::bigint[],
      ${rows.map(({ writeVersion }) => writeVersion)}::numeric[],
      ${rows.map(({ slotTime }) => slotTime)}::timestamptz[]
    )
    on conflict (address) do update set
      group_address = coalesce(excluded.group_address, account.group_address),
      authority = coalesce(excluded.authority, account.authority),
      flags = excluded.flags,
      last_update = excluded.last_update,
      derivation_index = excluded.derivation_index,
      third_party_id = excluded.third_party_id,
      active_orders = excluded.active_orders,
      liquidation_tagged_at = excluded.liquidation_tagged_at,
      migrated_from = excluded.migrated_from,
      migrated_to = excluded.migrated_to,
      emissions_destination = excluded.emissions_destination,
      liquidation_record = excluded.liquidation_record,
      is_closed = excluded.is_closed,
      source = excluded.source,
      slot = excluded.slot,
      write_version = excluded.write_version,
      slot_time = excluded.slot_time
    where (account.slot, coalesce(account.write_version, 'infinity'))
      <= (excluded.slot, coalesce(excluded.write_version, 'infinity'))
    returning address
  `.execute(transaction);
  return new Set(written.map(({ address }) => address));
}

/** Makes the balances of these accounts what they are now. What did not change is not written: most of them, most times. */
async function writeBalances(transaction: Transaction, rows: readonly AccountWrite[]): Promise<void> {
  const balances = rows.flatMap(({ address, state }) =>
    (state?.balances ?? []).map((balance) => ({ account: address, ...balance })),
  );
  const column = <K extends keyof (typeof balances)[number]>(name: K) => balances.map((balance) => balance[name]);
  await sql`
    with seen as materialized (
      select *
      from unnest(
        ${column('account')}::text[],
        ${column('bank')}::text[],
        ${column('slotIndex')}::smallint[],
        ${column('assetTag')}::smallint[],
        ${column('orderTag')}::integer[],
        ${column('assetShares')}::numeric[],
        ${column('liabilityShares')}::numeric[],
        ${column('lastUpdate')}::bigint[],
        ${column('premiumRate')}::bigint[],
        ${column('premiumOutstanding')}::numeric[]
      ) as seen (
        account, bank, slot_index, asset_tag, order_tag, asset_shares, liability_shares, last_update, premium_rate,
        premium_outstanding
      )
    ),
    gone as (
      delete from balance
      where account = any(${rows.map(({ address }) => address)}::text[])
        and (account, slot_index) not in (select account, slot_index from seen)
    )
    insert into balance (
      account, bank, slot_index, asset_tag, order_tag, asset_shares, liability_shares, last_update, premium_rate,
      premium_outstanding
    )
    select * from seen
    on conflict (account, slot_index) do update set
      bank = excluded.bank,
      asset_tag = excluded.asset_tag,
      order_tag = excluded.order_tag,
      asset_shares = excluded.asset_shares,
      liability_shares = excluded.liability_shares,
      last_update = excluded.last_update,
      premium_rate = excluded.premium_rate,
      premium_outstanding = excluded.premium_outstanding
    where (
      balance.bank, balance.asset_tag, balance.order_tag, balance.asset_shares, balance.liability_shares,
      balance.last_update, balance.premium_rate, balance.premium_outstanding
    ) is distinct from (
      excluded.bank, excluded.asset_tag, excluded.order_tag, excluded.asset_shares, excluded.liability_shares,
      excluded.last_update, excluded.premium_rate, excluded.premium_outstanding
    )
  `.execute(transaction);
}
