import type { KeyedActivity } from './activity-write.ts';
import { copyField } from './copy-field.ts';
import { copyText } from './copy-text.ts';

/** The columns of a row of `activityText`, in its order. */
export const COPIED_ACTIVITY_COLUMNS =
  'key, slot, time, fee_lamports, tip_lamports, instruction_index, inner_index, kind, account, authority, actor, counterparty, ' +
  'signature, group_id, liquidation, rebalance';

/** The columns of a row of `legText`, in its order. */
export const COPIED_LEG_COLUMNS =
  'activity, slot, leg, closes_side, action, bank, mint, amount_base, shares, ' +
  'premium_settled, premium_written_off';

/**
 * Activity as lines of COPY's text format.
 * @throws STORE__ROW_INVALID for a value that would be read as more than itself.
 */
export function activityText(rows: readonly KeyedActivity[]): Buffer {
  return copyText(rows, (row) => {
    let text = `${row.key}\t${row.slot}\t${copyField(row.time)}\t${copyField(row.feeLamports)}\t${copyField(row.tipLamports)}`;
    text += `\t${row.instructionIndex}\t${row.innerIndex ?? '\\N'}\t${copyField(row.kind)}\t${copyField(row.account)}`;
    text += `\t${copyField(row.authority)}\t${copyField(row.actor === row.authority ? null : row.actor)}`;
    text += `\t${copyField(row.counterparty)}\t${copyField(row.signature)}\t${copyField(row.groupId)}`;
    text += `\t${jsonField(row.liquidation)}\t${jsonField(row.rebalance)}\n`;
    return text;
  });
}

function jsonField(value: unknown): string {
  return copyField(value == null ? null : JSON.stringify(value));
}

/** The legs of activity, likewise. */
export function legText(rows: readonly KeyedActivity[]): Buffer {
  return copyText(rows, ({ key, slot, legs }) => {
    let text = '';
    for (const [nth, leg] of legs.entries()) {
      text += `${key}\t${slot}\t${nth}\t${leg.closesSide}\t${copyField(leg.action)}\t${copyField(leg.bank)}`;
      text += `\t${copyField(leg.mint)}\t${copyField(leg.amountBase)}\t${copyField(leg.shares)}`;
      text += `\t${copyField(leg.premium?.settledBase)}\t${copyField(leg.premium?.writtenOffBase)}\n`;
    }
    return text;
  });
}
