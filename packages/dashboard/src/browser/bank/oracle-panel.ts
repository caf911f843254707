import type { VNode } from 'preact';
import { useNow } from '../data/use-now.ts';
import type { WireBank } from '../data/wire-records.ts';
import { formatPricePrecisely, UNKNOWN } from '../format/number.ts';
import { formatAge, formatSeconds, formatUtc } from '../format/time.ts';
import { html } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import { Fact } from '../parts/fact.ts';
import { FigureText } from '../parts/figure-text.ts';

/** Where the price comes from, how old it may be, and how old it was. */
export function OraclePanel({ bank }: { readonly bank: WireBank }): VNode {
  const { oracle, price_usd, price_low_usd, price_high_usd } = bank;
  const now = useNow();
  const [word, tone] =
    oracle.stale === null ? ['Not readable here', 'plain'] : oracle.stale ? ['Too old', 'bad'] : ['Fresh', 'good'];
  return html`
    <section class="panel" aria-labelledby="oracle-title">
      <div class="panel-head">
        <h2 id="oracle-title">Oracle</h2>
        <${Badge} tone=${tone}>${word}<//>
      </div>
      <div class="panel-body">
        <dl class="facts">
          <${Fact} label="Price"><${FigureText} text=${formatPricePrecisely(price_usd)} /><//>
          <${Fact} label="Lower edge, for deposits"><${FigureText} text=${formatPricePrecisely(price_low_usd)} /><//>
          <${Fact} label="Upper edge, for debts"><${FigureText} text=${formatPricePrecisely(price_high_usd)} /><//>
          <${Fact} label="Published">
            ${
              oracle.price_time === null
                ? html`<${FigureText} text=${UNKNOWN} />`
                : html`<time datetime=${oracle.price_time} title=${formatUtc(oracle.price_time)}>${formatAge(oracle.price_time, now)}</time>`
            }
          <//>
          <${Fact} label="Accepted until">${formatSeconds(oracle.max_age_seconds)} old<//>
          <${Fact} label="Kind">${oracle.type}<//>
        </dl>
      </div>
    </section>
  ` as unknown as VNode;
}
