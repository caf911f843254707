import { sideOfLeg, toUiAmount } from '@lending/domain';
import type { ActivityLegRow, ActivityRow } from '@lending/store';
import type { Activity, ActivityLeg } from '#records/activity-fields.ts';
import type { BankSnapshot } from './bank-snapshot.ts';
import { shownTokens, shownUsd } from './shown-numbers.ts';

/** USD of one token of a bank's mint at a time; null where nothing was recorded then. */
export type PriceAt = (bank: string, time: Date) => number | null;

const SOL_DECIMALS = 9;

/**
 * An activity as callers see it. What a bank is comes from the newest configuration; a bank that nobody knows any more leaves symbol,
 * venue and UI amounts unknown.
 */
export function describeActivity(row: ActivityRow, banks: BankSnapshot, priceAt: PriceAt): Activity {
  return {
    id: row.id,
    signature: row.signature,
    slot: Number(row.slot),
    time: row.time.toISOString(),
    finality: row.finality,
    kind: row.kind,
    group_id: row.group_id,
    account: row.account,
    authority: row.authority,
    actor: row.actor,
    legs: row.legs.map((leg) => describeLeg(leg, row.time, banks, priceAt)),
    fee_sol: Number(toUiAmount(row.fee_lamports, SOL_DECIMALS)),
    tip_sol: Number(toUiAmount(row.tip_lamports, SOL_DECIMALS)),
    liquidation: describeLiquidation(row, banks, priceAt),
  };
}

function describeLeg(leg: ActivityLegRow, time: Date, banks: BankSnapshot, priceAt: PriceAt): ActivityLeg {
  const record = banks.entries.get(leg.bank)?.record;
  const amount = record === undefined ? null : shownTokens(leg.amount_base, record.decimals);
  const priceUsd = priceAt(leg.bank, time);
  return {
    bank: leg.bank,
    symbol: record?.symbol ?? null,
    mint: leg.mint,
    venue: record?.venue ?? null,
    side: sideOfLeg(leg.action),
    action: leg.action,
    amount_ui: amount,
    amount_raw: leg.amount_base,
    amount_usd: shownUsd(amount, priceUsd),
    price_usd: priceUsd,
    close_side: leg.closes_side,
  };
}

function describeLiquidation(row: ActivityRow, banks: BankSnapshot, priceAt: PriceAt): Activity['liquidation'] {
  if (row.liquidation === null) return null;
  const { liquidator, assetBank, liabilityBank, seizedBase, repaidBase } = row.liquidation;
  const tokens = (bank: string | null, base: string | null) => {
    const decimals = bank === null ? undefined : banks.entries.get(bank)?.record.decimals;
    return decimals === undefined ? null : shownTokens(base, decimals);
  };
  const usd = (bank: string | null, ui: number | null) => shownUsd(ui, bank === null ? null : priceAt(bank, row.time));
  const seized = tokens(assetBank, seizedBase);
  const repaid = tokens(liabilityBank, repaidBase);
  const seizedUsd = usd(assetBank, seized);
  const repaidUsd = usd(liabilityBank, repaid);
  return {
    liquidator,
    asset_bank: assetBank,
    liability_bank: liabilityBank,
    seized_ui: seized,
    repaid_ui: repaid,
    penalty_usd: seizedUsd === null || repaidUsd === null ? null : seizedUsd - repaidUsd,
  };
}
