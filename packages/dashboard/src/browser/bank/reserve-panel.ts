import type { VNode } from 'preact';
import type { WireBank } from '../data/wire-records.ts';
import { shortAddress } from '../format/address.ts';
import { formatFactor, formatPct, formatTokens } from '../format/number.ts';
import { html } from '../html.ts';
import { Badge, type Tone } from '../parts/badge.ts';
import { Fact } from '../parts/fact.ts';
import { FigureText } from '../parts/figure-text.ts';

const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  restricted: 'warning',
  closed: 'bad',
  suspended: 'bad',
};

/** The pool of another venue that the bank's deposits lie in. */
export function ReservePanel({ bank }: { readonly bank: WireBank }): VNode | null {
  const { reserve, venue, symbol } = bank;
  if (venue === 'P0') return null;
  if (reserve == null) {
    return html`
      <section class="panel" aria-labelledby="reserve-title">
        <div class="panel-head"><h2 id="reserve-title">Reserve on ${venue}</h2></div>
        <p class="panel-body">It was not read yet.</p>
      </section>
    `;
  }
  const tokens = (value: number | null) => html`<${FigureText} text=${formatTokens(value, symbol)} />`;
  const rate = reserve.exchange_rate === null ? null : Number(reserve.exchange_rate);
  return html`
    <section class="panel" aria-labelledby="reserve-title">
      <div class="panel-head">
        <h2 id="reserve-title">Reserve on ${venue}</h2>
        <${Badge} tone=${TONES[reserve.status] ?? 'plain'}>${reserve.status}<//>
      </div>
      <div class="panel-body">
        <dl class="facts">
          <${Fact} label="Market">${reserve.market_name ?? 'unnamed'}<//>
          <${Fact} label="Address"><span class="address" title=${reserve.address}>${shortAddress(reserve.address)}</span><//>
          ${reserve.status_reasons.map((reason) => html`<${Fact} key=${reason} label="Because">${reason}<//>`)}
          <${Fact} label="Deposits">${tokens(reserve.deposits)}<//>
          <${Fact} label="Its own deposit limit">${reserve.deposit_limit === null ? 'none' : tokens(reserve.deposit_limit)}<//>
          <${Fact} label="Can leave now">${tokens(reserve.available_liquidity)}<//>
          <${Fact} label="Utilization"><${FigureText} text=${formatPct(reserve.utilization_pct)} /><//>
          <${Fact} label="Its borrowers pay"><${FigureText} text=${formatPct(reserve.borrow_apy_pct)} /><//>
          <${Fact} label="A receipt is worth"><${FigureText} text=${formatFactor(rate, ` ${symbol ?? 'tokens'}`)} /><//>
        </dl>
      </div>
    </section>
  ` as unknown as VNode;
}
