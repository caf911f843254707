import type { VNode } from 'preact';
import type { Requested } from '../data/use-request.ts';
import type { WireBank, WireLimitsReply } from '../data/wire-records.ts';
import { formatPct, formatTokens, formatUsd, UNKNOWN } from '../format/number.ts';
import { formatTime, formatUtc } from '../format/time.ts';
import { html } from '../html.ts';
import { type Column, DataTable } from '../parts/data-table.ts';
import { FigureText } from '../parts/figure-text.ts';
import { LiveFigure } from '../parts/live-figure.ts';
import { Answered } from '../parts/states.ts';

interface Room {
  readonly side: string;
  readonly nowUsd: number | null;
  readonly limitUsd: number | null;
  readonly roomUsd: number | null;
}

/** How full the bank is, and how its limits changed. */
export function LimitsPanel({
  bank,
  limits,
}: {
  readonly bank: WireBank;
  readonly limits: Requested<WireLimitsReply>;
}): VNode {
  const { size, borrowable, price_usd, symbol } = bank;
  // A limit is unknown without a price; else there is none.
  const none = price_usd === null ? UNKNOWN : 'none';
  const money = (value: number | null) =>
    value === null ? html`<${FigureText} text=${none} />` : html`<${LiveFigure} value=${value} format=${formatUsd} />`;
  const columns: readonly Column<Room>[] = [
    { key: 'side', label: 'Side', cell: ({ side }) => side },
    { key: 'limit', label: 'Limit', align: 'end', cell: ({ limitUsd }) => money(limitUsd) },
    { key: 'used', label: 'Used', align: 'end', cell: ({ nowUsd, limitUsd }) => formatPct(shareOf(nowUsd, limitUsd)) },
    { key: 'room', label: 'Room', title: 'What still fits', align: 'end', cell: ({ roomUsd }) => money(roomUsd) },
  ];
  const deposits: Room = {
    side: 'Deposits',
    nowUsd: size.deposits_usd,
    limitUsd: size.deposit_limit_usd,
    roomUsd: size.deposit_capacity_remaining_usd,
  };
  const borrows: Room = {
    side: 'Borrows',
    nowUsd: size.borrows_usd,
    limitUsd: size.borrow_limit_usd,
    roomUsd: size.borrow_capacity_remaining_usd,
  };
  return html`
    <section class="panel" aria-labelledby="limits-title">
      <div class="panel-head"><h2 id="limits-title">Limits and room</h2></div>
      <${DataTable} caption="Limits and room" columns=${columns} rows=${borrowable ? [deposits, borrows] : [deposits]} rowKey=${({ side }: Room) => side} />
      <${Answered} request=${limits} what="how the limits changed" rows=${2}>
        ${(reply: WireLimitsReply) => html`<${LimitChanges} reply=${reply} symbol=${symbol} borrowable=${borrowable} />`}
      <//>
    </section>
  ` as unknown as VNode;
}

interface LimitChangesProps {
  readonly reply: WireLimitsReply;
  readonly symbol: string | null;
  readonly borrowable: boolean;
}

function LimitChanges({ reply, symbol, borrowable }: LimitChangesProps): VNode | null {
  const { limits, deposit_limit_unit: unit } = reply;
  if (limits.length === 0) return null;
  const name = unit === 'receipt' ? 'receipts' : symbol;
  const cap = (value: number | null, of: string | null) => (value === null ? 'none' : formatTokens(value, of));
  return html`
    <ul class="limit-changes">
      ${limits.map(
        ({ time, first_seen, deposit_limit, borrow_limit, value_limit_usd }) => html`
          <li key=${time}>
            <time datetime=${time} title=${formatUtc(time)}>${formatTime(time)}</time>${first_seen ? ', seen first' : ''}:
            deposits ${cap(deposit_limit, name)}${borrowable ? `, borrows ${cap(borrow_limit, symbol)}` : ''}${
              value_limit_usd !== null && `, counts as less collateral above ${formatUsd(value_limit_usd)}`
            }
          </li>
        `,
      )}
    </ul>
  `;
}

function shareOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : (100 * part) / whole;
}
