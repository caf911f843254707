import type { Venue } from '@lending/domain';
import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { lockBanks } from './lock-banks.ts';
import { newestByKey } from './newest-by-key.ts';

/**
 * What a bank is, as seen at one slot, on its way into `bank`. Decimals are text, limits base units (null: no limit),
 * `slotTime` an ISO-8601 instant, `emode` and `rateCurve` what the column shall hold as JSON.
 */
export interface BankWrite {
  readonly address: string;
  readonly groupAddress: string;
  readonly venue: Venue;
  readonly mint: string;
  readonly decimals: number;
  readonly tokenProgram: 'spl' | 'token_2022' | null;
  readonly symbol: string | null;
  readonly assetTag: number;
  readonly operationalState: string;
  readonly riskTier: string;
  readonly assetWeightInit: string;
  readonly assetWeightMaint: string;
  readonly liabilityWeightInit: string;
  readonly liabilityWeightMaint: string;
  readonly depositLimitBase: string | null;
  readonly borrowLimitBase: string | null;
  readonly totalAssetValueInitLimitUsd: string | null;
  readonly originationFee: string;
  readonly flags: string;
  readonly emode: unknown;
  readonly oracleSetup: string;
  readonly oracleKey: string | null;
  readonly oracleMaxAgeSeconds: number;
  readonly rateCurve: unknown;
  readonly venueAccount: string | null;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slotTime: string;
}

/**
 * Writes what banks are. A row of an older slot than the one stored changes nothing; the same slot again writes the same.
 * A readable bank is no longer rejected, unless it was rejected at a later slot.
 */
export async function upsertBanks(transaction: Transaction, banks: readonly BankWrite[]): Promise<void> {
  const rows = newestByKey(banks, ({ address }) => address);
  if (rows.length === 0) return;
  const column = <K extends keyof BankWrite>(name: K): BankWrite[K][] => rows.map((row) => row[name]);
  await lockBanks(transaction, column('address'));
  await sql`
    insert into bank (
      address, group_address, venue, mint, decimals, token_program, symbol, asset_tag, operational_state, risk_tier,
      asset_weight_init, asset_weight_maint, liability_weight_init, liability_weight_maint,
      deposit_limit_base, borrow_limit_base, total_asset_value_init_limit_usd, origination_fee, flags,
      emode, oracle_setup, oracle_key, oracle_max_age_seconds, rate_curve, venue_account,
      source, slot, slot_time
    )
    select * from unnest(
      ${column('address')}::text[],
      ${column('groupAddress')}::text[],
      ${column('venue')}::text[],
      ${column('mint')}::text[],
      ${column('decimals')}::smallint[],
      ${column('tokenProgram')}::text[],
      ${column('symbol')}::text[],
      ${column('assetTag')}::smallint[],
      ${column('operationalState')}::text[],
      ${column('riskTier')}::text[],
      ${column('assetWeightInit')}::numeric[],
      ${column('assetWeightMaint')}::numeric[],
      ${column('liabilityWeightInit')}::numeric[],
      ${column('liabilityWeightMaint')}::numeric[],
      ${column('depositLimitBase')}::numeric[],
      ${column('borrowLimitBase')}::numeric[],
      ${column('totalAssetValueInitLimitUsd')}::numeric[],
      ${column('originationFee')}::numeric[],
      ${column('flags')}::numeric[],
      ${column('emode').map((value) => JSON.stringify(value))}::jsonb[],
      ${column('oracleSetup')}::text[],
      ${column('oracleKey')}::text[],
      ${column('oracleMaxAgeSeconds')}::integer[],
      ${column('rateCurve').map((value) => JSON.stringify(value))}::jsonb[],
      ${column('venueAccount')}::text[],
      ${column('source')}::text[],
      ${column('slot')}::bigint[],
      ${column('slotTime')}::timestamptz[]
    )
    on conflict (address) do update set
      group_address = excluded.group_address,
      venue = excluded.venue,
      mint = excluded.mint,
      decimals = excluded.decimals,
      token_program = excluded.token_program,
      symbol = excluded.symbol,
      asset_tag = excluded.asset_tag,
      operational_state = excluded.operational_state,
      risk_tier = excluded.risk_tier,
      asset_weight_init = excluded.asset_weight_init,
      asset_weight_maint = excluded.asset_weight_maint,
      liability_weight_init = excluded.liability_weight_init,
      liability_weight_maint = excluded.liability_weight_maint,
      deposit_limit_base = excluded.deposit_limit_base,
      borrow_limit_base = excluded.borrow_limit_base,
      total_asset_value_init_limit_usd = excluded.total_asset_value_init_limit_usd,
      origination_fee = excluded.origination_fee,
      flags = excluded.flags,
      emode = excluded.emode,
      oracle_setup = excluded.oracle_setup,
      oracle_key = excluded.oracle_key,
      oracle_max_age_seconds = excluded.oracle_max_age_seconds,
      rate_curve = excluded.rate_curve,
      venue_account = excluded.venue_account,
      source = excluded.source,
      slot = excluded.slot,
      slot_time = excluded.slot_time
    where bank.slot <= excluded.slot
  `.execute(transaction);
  await sql`
    delete from bank_rejection
    using bank
    where bank.address = bank_rejection.bank
      and bank.address = any(${column('address')}::text[])
      and bank_rejection.slot <= bank.slot
  `.execute(transaction);
}
