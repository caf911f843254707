import type { VNode } from 'preact';
import { formatPct } from '../format/number.ts';
import { html } from '../html.ts';
import { formatLeverage } from './strategy-figures.ts';
import type { WireStrategy } from './wire-strategies.ts';

/** What the pair earns without leverage, at the one recommended and at the most there is, on a line of leverage. */
export function LeverageLine({ strategy }: { readonly strategy: WireStrategy }): VNode {
  const { rates, recommended_leverage: recommended, max_leverage: max } = strategy;
  const stops = [
    { label: 'Supply alone', leverage: 1, pct: rates.net_apy_base_pct },
    { label: 'Recommended', leverage: recommended, pct: rates.net_apy_at_recommended_leverage_pct },
    { label: 'Most accepted', leverage: max, pct: rates.net_apy_at_max_leverage_pct },
  ];
  const place = (leverage: number): number => 2 + 96 * (max > 1 ? (leverage - 1) / (max - 1) : 1);
  return html`
    <figure class="leverage">
      <svg class="leverage-line" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="share-whole" y="2" width="100" height="2" />
        <rect class="share-part" y="2" width=${place(recommended)} height="2" />
        ${stops.map(({ label, leverage }) => html`<rect key=${label} class="leverage-stop" x=${place(leverage) - 0.4} width="0.8" height="6" />`)}
      </svg>
      <dl class="leverage-stops">
        ${stops.map(
          ({ label, leverage, pct }) => html`
            <div key=${label}>
              <dt>${label} <span class="leverage-times">${formatLeverage(leverage)}</span></dt>
              <dd>${formatPct(pct)}</dd>
            </div>
          `,
        )}
      </dl>
    </figure>
  `;
}
