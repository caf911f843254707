import type { Ledger } from '@lending/localnet';
import { MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM } from '@lending/programs';
import type { TestDatabase } from '@lending/testing';
import { decodeBank, decodeGroup, readVaultAmount, sampleRates } from '@lending/venues';
import { type Address, address } from '@solana/kit';
import { query } from '../history/tables.ts';
import type { ChainRecord } from './chain-record.ts';

interface SampleRow {
  readonly address: string;
  readonly slot: string;
  readonly assets: string;
  readonly debts: string;
  readonly available: string;
}

export interface SampleJudgement {
  readonly judged: number;
  /** Samples of P0's own banks that are not what the chain held at their slot. */
  readonly wrong: readonly string[];
}

/** Holds every sample of P0's own banks against the chain's accounts at that slot, accrued to its clock. */
export async function judgeSamples(
  database: TestDatabase,
  record: ChainRecord,
  ledger: Ledger,
): Promise<SampleJudgement> {
  const rows = await query<SampleRow>(
    database,
    `select address, slot::text, total_assets_base::text as assets, total_liabilities_base::text as debts,
       available_liquidity_base::text as available
     from rate_sample join rate_series on rate_series.id = series
     where kind = 'bank' and venue = 'p0' and slot > $1 order by slot`,
    [String(record.firstSlot)],
  );
  const wrong = rows.flatMap((row) => {
    const expected = expectedOf(address(row.address), BigInt(row.slot), record, ledger);
    const found = `${row.assets} lent, ${row.debts} borrowed, ${row.available} available`;
    return found === expected ? [] : [`${row.address} at slot ${row.slot}: ${found}; the chain had ${expected}`];
  });
  return { judged: rows.length, wrong };
}

function expectedOf(bankAddress: Address, slot: bigint, record: ChainRecord, ledger: Ledger): string {
  const account = (key: Address) => {
    const state = record.stateAt(key, slot);
    return state && { address: key, owner: state.owner, data: state.data };
  };
  const [bankAccount, group, block] = [account(bankAddress), account(MARGINFI_MAIN_GROUP), ledger.blockAt(slot)];
  if (bankAccount === null || group === null || block === undefined) return 'no such bank, or slot';
  const bank = decodeBank(bankAccount, MARGINFI_PROGRAM);
  const vault = readVaultAmount(bank, account(bank.liquidityVault));
  const rates = sampleRates(bank, decodeGroup(group, MARGINFI_PROGRAM), block.unixTimestamp, vault);
  return `${rates.totalAssetsBase} lent, ${rates.totalLiabilitiesBase} borrowed, ${rates.availableLiquidityBase} available`;
}
