import type { Activity, ActivityLeg } from '#records/activity-fields.ts';

const COLUMNS = [
  'id',
  'time',
  'slot',
  'finality',
  'kind',
  'group_id',
  'account',
  'authority',
  'actor',
  'leg',
  'bank',
  'symbol',
  'mint',
  'venue',
  'side',
  'action',
  'amount_ui',
  'amount_raw',
  'price_usd',
  'amount_usd',
  'close_side',
  'fee_sol',
  'tip_sol',
  'liquidator',
  'penalty_usd',
  'premium_settled_ui',
  'premium_written_off_ui',
] as const;
type Column = (typeof COLUMNS)[number];
type Cell = string | number | boolean | null;

/**
 * A header and a line per leg, one too where there is none. What belongs to the whole activity (fees, liquidation) stands on its first
 * line alone, so that a sum over a column is right. An unknown value is an empty cell.
 */
export function toActivityCsv(activities: readonly Activity[]): string {
  const lines = activities.flatMap((activity) => {
    const legs: readonly (ActivityLeg | null)[] = activity.legs.length > 0 ? activity.legs : [null];
    return legs.map((leg, index) => {
      const cells = cellsOf(activity, leg, index);
      return COLUMNS.map((column) => toCell(cells[column])).join(',');
    });
  });
  return `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`;
}

function cellsOf(activity: Activity, leg: ActivityLeg | null, index: number): Record<Column, Cell> {
  const isFirst = index === 0;
  return {
    id: activity.id,
    time: activity.time,
    slot: activity.slot,
    finality: activity.finality,
    kind: activity.kind,
    group_id: activity.group_id,
    account: activity.account,
    authority: activity.authority,
    actor: activity.actor,
    leg: leg === null ? null : index,
    bank: leg?.bank ?? null,
    symbol: leg?.symbol ?? null,
    mint: leg?.mint ?? null,
    venue: leg?.venue ?? null,
    side: leg?.side ?? null,
    action: leg?.action ?? null,
    amount_ui: leg?.amount_ui ?? null,
    amount_raw: leg?.amount_raw ?? null,
    price_usd: leg?.price_usd ?? null,
    amount_usd: leg?.amount_usd ?? null,
    close_side: leg?.close_side ?? null,
    fee_sol: isFirst ? activity.fee_sol : null,
    tip_sol: isFirst ? activity.tip_sol : null,
    liquidator: isFirst ? (activity.liquidation?.liquidator ?? null) : null,
    penalty_usd: isFirst ? (activity.liquidation?.penalty_usd ?? null) : null,
    premium_settled_ui: leg?.premium_settled_ui ?? null,
    premium_written_off_ui: leg?.premium_written_off_ui ?? null,
  };
}

/** Text from the chain may hold commas, quotes, or what a spreadsheet takes for a formula. */
function toCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const harmless = /^[=+\-@]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
