import { type QueryExecutorProvider, sql } from 'kysely';

/** What the risk engine and the limits read of a bank; objects as the event `bank.measured` has them. */
export interface BankMeasureRow {
  readonly bank: string;
  readonly ledger: unknown;
  readonly price: unknown;
  readonly vault_base: string | null;
  readonly transfer_fee: unknown;
  readonly group: unknown;
  /** Whole USD above which collateral is discounted, of the bank's configuration; null is off, or the bank is not known. */
  readonly total_asset_value_init_limit_usd: string | null;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slot_time: Date;
}

/**
 * The newest measure of every bank, by bank.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listBankMeasures(db: QueryExecutorProvider): Promise<readonly BankMeasureRow[]> {
  const { rows } = await sql<BankMeasureRow>`
    select
      bank_measure.bank, ledger, price, vault_base, transfer_fee, "group", bank.total_asset_value_init_limit_usd,
      bank_measure.source, bank_measure.slot, bank_measure.slot_time
    from bank_measure
    left join bank on bank.address = bank_measure.bank
    order by bank_measure.bank
  `.execute(db);
  return rows;
}
