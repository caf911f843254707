import { type FractionE18, sideOfLeg, toUiAmount } from '@lending/domain';
import type { ActivityLegRow, ActivityRow } from '@lending/store';
import type { Activity, ActivityLeg, Execution, Rebalance } from '#records/activity-fields.ts';
import type { BankEntry, BankSnapshot } from './bank-snapshot.ts';
import { shownNumber, shownTokens, shownUsd } from './shown-numbers.ts';
import { tokensOfBalance } from './token-amounts.ts';

/** What a bank was worth at a time; null what was not recorded then. */
export interface WorthThen {
  /** USD of one token of its mint. */
  readonly priceUsd: number | null;
  /** Tokens for one receipt of its venue. */
  readonly exchangeRate: FractionE18 | null;
}

export type WorthAt = (bank: string, time: Date) => WorthThen;

const SOL_DECIMALS = 9;

/**
 * An activity as callers see it. What a bank is comes from the newest configuration; a bank that nobody knows any more leaves symbol,
 * venue and UI amounts unknown.
 */
export function describeActivity(row: ActivityRow, banks: BankSnapshot, worthAt: WorthAt): Activity {
  const bankThen = (bank: string) => ({ entry: banks.entries.get(bank), worth: worthAt(bank, row.time) });
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
    legs: row.legs.map((leg) => describeLeg(leg, bankThen(leg.bank), isInReceipts(row) && leg.action === 'seize')),
    fee_sol: Number(toUiAmount(row.fee_lamports, SOL_DECIMALS)),
    tip_sol: Number(toUiAmount(row.tip_lamports, SOL_DECIMALS)),
    liquidation: describeLiquidation(row, bankThen),
    rebalance: row.rebalance && describeRebalance(row.rebalance),
  };
}

interface BankThen {
  readonly entry: BankEntry | undefined;
  readonly worth: WorthThen;
}

/**
 * Whether what was seized is told in the units of the bank's balances: by one instruction that moves it to the liquidator's own lending
 * account, so that no tokens move. In a receivership tokens were withdrawn.
 */
function isInReceipts({ kind, counterparty }: ActivityRow): boolean {
  return kind === 'liquidation' && counterparty !== null;
}

/** Base units of the mint; null where nobody knows what a receipt was worth then. */
function tokensBase(base: string | null, { entry, worth }: BankThen, areReceipts: boolean): string | null {
  if (base === null || !areReceipts || entry?.record.venue === 'P0') return base;
  if (entry === undefined || worth.exchangeRate === null) return null;
  const { record, row } = entry;
  const bank = { assetTag: row.asset_tag, decimals: record.decimals };
  return tokensOfBalance(bank, BigInt(base), worth.exchangeRate).toString();
}

function toUi(base: string | null, { entry }: BankThen): number | null {
  return entry === undefined ? null : shownTokens(base, entry.record.decimals);
}

function describeLeg(leg: ActivityLegRow, then: BankThen, areReceipts: boolean): ActivityLeg {
  const record = then.entry?.record;
  const raw = tokensBase(leg.amount_base, then, areReceipts);
  const amount = toUi(raw, then);
  const { priceUsd } = then.worth;
  return {
    bank: leg.bank,
    symbol: record?.symbol ?? null,
    mint: leg.mint,
    venue: record?.venue ?? null,
    side: sideOfLeg(leg.action),
    action: leg.action,
    amount_ui: amount,
    amount_raw: raw,
    amount_usd: shownUsd(amount, priceUsd),
    price_usd: priceUsd,
    close_side: leg.closes_side,
    premium_settled_ui: toUi(leg.premium_settled, then),
    premium_written_off_ui: toUi(leg.premium_written_off, then),
  };
}

function describeRebalance(rebalance: NonNullable<ActivityRow['rebalance']>): Rebalance {
  const { order, executor, moved, tipLamports, realized } = rebalance;
  const settlement = realized === null ? rebalance.settlement : rebalance;
  return {
    order,
    executor,
    moved_ui: shownNumber(moved),
    tip_sol: realized === null ? shownTokens(tipLamports, SOL_DECIMALS) : null,
    tip_paid_sol: shownTokens(settlement?.tipLamports ?? null, SOL_DECIMALS),
    realized: settlement?.realized ?? null,
  };
}

/** An execution beside its order. */
export function describeExecution({ id, time, legs, rebalance }: ActivityRow): readonly Execution[] {
  if (rebalance === null) return [];
  const { order: _order, ...shown } = describeRebalance(rebalance);
  return [{ id, time: time.toISOString(), banks: [...new Set(legs.map(({ bank }) => bank))], ...shown }];
}

function describeLiquidation(row: ActivityRow, bankThen: (bank: string) => BankThen): Activity['liquidation'] {
  if (row.liquidation === null) return null;
  const { liquidator, assetBank, liabilityBank, seizedBase, repaidBase } = row.liquidation;
  const worthOf = (bank: string | null, base: string | null, areReceipts: boolean) => {
    if (bank === null) return { ui: null, usd: null };
    const then = bankThen(bank);
    const ui = toUi(tokensBase(base, then, areReceipts), then);
    return { ui, usd: shownUsd(ui, then.worth.priceUsd) };
  };
  const seized = worthOf(assetBank, seizedBase, isInReceipts(row));
  const repaid = worthOf(liabilityBank, repaidBase, false);
  return {
    liquidator,
    asset_bank: assetBank,
    liability_bank: liabilityBank,
    seized_ui: seized.ui,
    repaid_ui: repaid.ui,
    penalty_usd: seized.usd === null || repaid.usd === null ? null : seized.usd - repaid.usd,
  };
}
