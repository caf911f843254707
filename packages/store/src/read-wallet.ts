import { type QueryExecutorProvider, sql } from 'kysely';

/** One token account of a wallet; base units as text. */
export interface HoldingRow {
  readonly token_account: string;
  readonly mint: string;
  readonly token_program: 'spl' | 'token_2022';
  readonly decimals: number;
  readonly amount_base: string;
  readonly is_frozen: boolean;
  readonly symbol: string | null;
  readonly name: string | null;
}

/** A wallet with what it holds, by mint, then by token account. */
export interface WalletRow {
  readonly address: string;
  readonly lamports: string;
  readonly holdings_left_out: number;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slot_time: Date;
  readonly holdings: readonly HoldingRow[];
}

/**
 * What a wallet holds; null when it was never read.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readWallet(db: QueryExecutorProvider, address: string): Promise<WalletRow | null> {
  const { rows } = await sql<WalletRow>`
    select
      address, lamports, holdings_left_out, source, slot, slot_time,
      coalesce(
        (
          select json_agg(
            json_build_object(
              'token_account', token_account, 'mint', mint, 'token_program', token_program, 'decimals', decimals,
              'amount_base', amount_base::text, 'is_frozen', is_frozen, 'symbol', symbol, 'name', name
            ) order by mint, token_account
          )
          from wallet_balance where wallet_balance.wallet = wallet.address
        ),
        '[]'
      ) as holdings
    from wallet
    where address = ${address}
  `.execute(db);
  return rows[0] ?? null;
}
