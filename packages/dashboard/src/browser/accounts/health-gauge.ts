import type { VNode } from 'preact';
import { formatFactor, formatPct, formatPrice, formatUsd, UNKNOWN } from '../format/number.ts';
import { formatRatio } from '../format/ratio.ts';
import { html } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import { FigureText } from '../parts/figure-text.ts';
import { HEALTH_BANDS, placeOnScale } from './health-scale.ts';
import { STATUS_WORDS } from './health-words.ts';
import type { WireHealth } from './wire-account.ts';

/** How far an account is from liquidation, on a scale that shows the lines between the words for it. */
export function HealthGauge({ health }: { readonly health: WireHealth }): VNode {
  const { status, health_ratio: ratio, weakest } = health;
  const { label, tone, meaning } = STATUS_WORDS[status];
  return html`
    <div class="gauge">
      <p class="gauge-head">
        <${Badge} tone=${tone}>${label}<//>
        <span class="gauge-ratio">${ratioText(health)}</span>
        <span class="gauge-meaning">${meaning}</span>
      </p>
      ${status !== 'unknown' && html`<${Scale} ratio=${ratio} label=${label} />`}
      <dl class="facts gauge-facts">
        <div><dt>Counted assets</dt><dd><${FigureText} text=${formatUsd(health.assets_usd_maint)} /></dd></div>
        <div><dt>Counted debt</dt><dd><${FigureText} text=${formatUsd(health.liabilities_usd_maint)} /></dd></div>
        <div><dt>May still borrow against</dt><dd><${FigureText} text=${formatUsd(health.free_collateral_usd)} /></dd></div>
        <div>
          <dt>Health factor</dt>
          <dd><${FigureText} text=${health.health_factor === null ? UNKNOWN : formatFactor(Math.round(health.health_factor * 1e4) / 1e4)} /></dd>
        </div>
      </dl>
      ${
        weakest !== null &&
        html`<p class="gauge-weakest">
          Nearest line: <strong>${weakest.symbol ?? 'unnamed'}</strong> at ${formatPrice(weakest.liquidation_price_usd)},
          ${' '}${formatPct(weakest.price_change_pct)} from its price now.
        </p>`
      }
      ${health.oracle_issues.map(
        ({ bank, symbol, reason }) =>
          html`<p class="gauge-issue" key=${bank}>The price of ${symbol ?? bank} cannot be used now (${reason}): the program counts nothing by it until it is fresh.</p>`,
      )}
    </div>
  `;
}

function ratioText({ status, health_ratio: ratio }: WireHealth): string {
  if (status === 'unknown') return '';
  return ratio === null ? 'no debt' : `${formatRatio(ratio)} health ratio`;
}

const WIDTH = 100;
/** Between the bands. */
const GAP = 0.5;

function Scale({ ratio, label }: { readonly ratio: number | null; readonly label: string }): VNode {
  const place = placeOnScale(ratio);
  const lines = HEALTH_BANDS.slice(0, -1);
  return html`
    <div
      class="scale"
      role="meter"
      aria-label="Health ratio"
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow=${Math.round(place * 100)}
      aria-valuetext=${ratio === null ? 'no debt' : `${formatRatio(ratio)}, ${label}; 1 is the liquidation line`}
    >
      <svg viewBox=${`0 0 ${WIDTH} 10`} preserveAspectRatio="none" aria-hidden="true">
        ${HEALTH_BANDS.map(({ status, start, end }) => html`<rect key=${status} class=${`band band-${status}`} x=${start * WIDTH} width=${(end - start) * WIDTH - GAP} y="3" height="4" />`)}
        <rect class="scale-mark" x=${Math.min(WIDTH - 1.2, Math.max(0, place * WIDTH - 0.6))} width="1.2" height="10" />
      </svg>
      <ol class="scale-lines" aria-hidden="true">
        ${lines.map(({ until, end }) => html`<li key=${until} style=${{ left: `${end * WIDTH}%` }}>${until}</li>`)}
      </ol>
    </div>
  `;
}
