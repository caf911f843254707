import type { GroupChangeRow } from '@lending/store';
import type { GROUP_CHANGE_KINDS, GroupChange } from '#records/group-change-fields.ts';
import type { BankSnapshot } from './bank-snapshot.ts';
import { shownPremiumPct } from './premium-record.ts';
import { shownTime, shownTokens } from './shown-numbers.ts';

/** A change as callers see it, with the fields of its kind and no others. */
export function describeGroupChange(row: GroupChangeRow, { entries }: BankSnapshot): GroupChange {
  const record = entries.get(row.address)?.record;
  const { id, address, finality, actor } = row;
  return {
    id,
    slot: Number(row.slot),
    time: row.time.toISOString(),
    finality,
    kind: row.kind as GroupChange['kind'],
    address,
    ...(record !== undefined && { symbol: record.symbol }),
    ...(actor !== null && { actor }),
    ...ownFields(row, record?.decimals ?? null),
  };
}

/** `detail` holds the fields of the message's change, and for a tag those that `recordTagChanges` writes. */
function ownFields({ kind, detail }: GroupChangeRow, decimals: number | null): Partial<GroupChange> {
  const text = (name: string) => (typeof detail[name] === 'string' ? detail[name] : null);
  const number = (name: string) => Number(detail[name]);
  const tokens = (name: string) => (decimals === null ? null : shownTokens(text(name), decimals));
  switch (kind as (typeof GROUP_CHANGE_KINDS)[number]) {
    case 'liquidation_tag':
      return { tagged_at: shownTime(text('taggedAt')) };
    case 'premium_sweep':
      return { amount_ui: tokens('collectedBase') };
    case 'premium_rate':
      return {
        collateral_tag: number('collateralTag'),
        liability_tag: number('liabilityTag'),
        rate_pct: shownPremiumPct(number('newRate')),
        rate_before_pct: shownPremiumPct(number('oldRate')),
      };
    case 'premium_tag':
      return { premium_tag: number('premiumTag'), premium_active: detail.isActive === true };
    case 'breaker_trip':
      return {
        tier: number('tier'),
        deviation_pct: number('deviationBps') / 100,
        halted_until: shownTime(text('haltEndedAt')),
      };
    case 'breaker_clear':
      return { tier: number('tier'), by_admin: detail.isByAdmin === true };
    case 'breaker_break':
      return {};
    case 'governance_admin':
      return { admin: text('next'), admin_before: text('previous') };
  }
}
