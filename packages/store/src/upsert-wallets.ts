import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { newestByKey } from './newest-by-key.ts';

/** One token account of a wallet. */
export interface HoldingWrite {
  readonly tokenAccount: string;
  readonly mint: string;
  readonly tokenProgram: 'spl' | 'token_2022';
  readonly decimals: number;
  readonly amountBase: string;
  readonly isFrozen: boolean;
  readonly symbol: string | null;
  readonly name: string | null;
}

/** What a wallet holds, whole, as seen at one slot. `slotTime` is an ISO-8601 instant. */
export interface WalletWrite {
  readonly address: string;
  readonly lamports: string;
  readonly holdings: readonly HoldingWrite[];
  readonly holdingsLeftOut: number;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slotTime: string;
}

/** Writes what wallets hold. A reading of an older slot than the one stored changes nothing, neither wallet nor holdings. */
export async function upsertWallets(transaction: Transaction, wallets: readonly WalletWrite[]): Promise<void> {
  const rows = newestByKey(wallets, ({ address }) => address);
  if (rows.length === 0) return;
  const column = <K extends keyof WalletWrite>(name: K): WalletWrite[K][] => rows.map((row) => row[name]);
  const { rows: written } = await sql<{ address: string }>`
    insert into wallet (address, lamports, holdings_left_out, source, slot, slot_time)
    select * from unnest(
      ${column('address')}::text[],
      ${column('lamports')}::numeric[],
      ${column('holdingsLeftOut')}::integer[],
      ${column('source')}::text[],
      ${column('slot')}::bigint[],
      ${column('slotTime')}::timestamptz[]
    )
    on conflict (address) do update set
      lamports = excluded.lamports,
      holdings_left_out = excluded.holdings_left_out,
      source = excluded.source,
      slot = excluded.slot,
      slot_time = excluded.slot_time
    where wallet.slot <= excluded.slot
    returning address
  `.execute(transaction);
  const addresses = new Set(written.map(({ address }) => address));
  await writeHoldings(
    transaction,
    rows.filter(({ address }) => addresses.has(address)),
  );
}

async function writeHoldings(transaction: Transaction, rows: readonly WalletWrite[]): Promise<void> {
  if (rows.length === 0) return;
  const holdings = rows.flatMap(({ address, holdings: held }) =>
    held.map((holding) => ({ wallet: address, ...holding })),
  );
  const column = <K extends keyof (typeof holdings)[number]>(name: K) => holdings.map((holding) => holding[name]);
  await sql`
    with seen as materialized (
      select distinct on (wallet, token_account) *
      from unnest(
        ${column('wallet')}::text[],
        ${column('tokenAccount')}::text[],
        ${column('mint')}::text[],
        ${column('tokenProgram')}::text[],
        ${column('decimals')}::smallint[],
        ${column('amountBase')}::numeric[],
        ${column('isFrozen')}::boolean[],
        ${column('symbol')}::text[],
        ${column('name')}::text[]
      ) as seen (wallet, token_account, mint, token_program, decimals, amount_base, is_frozen, symbol, name)
      order by wallet, token_account
    ),
    gone as (
      delete from wallet_balance
      where wallet = any(${rows.map(({ address }) => address)}::text[])
        and (wallet, token_account) not in (select wallet, token_account from seen)
    )
    insert into wallet_balance (
      wallet, token_account, mint, token_program, decimals, amount_base, is_frozen, symbol, name
    )
    select * from seen
    on conflict (wallet, token_account) do update set
      mint = excluded.mint,
      token_program = excluded.token_program,
      decimals = excluded.decimals,
      amount_base = excluded.amount_base,
      is_frozen = excluded.is_frozen,
      symbol = excluded.symbol,
      name = excluded.name
  `.execute(transaction);
}
