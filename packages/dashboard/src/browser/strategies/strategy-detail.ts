import type { VNode } from 'preact';
import { formatPct, formatUsd, UNKNOWN } from '../format/number.ts';
import { formatRatio } from '../format/ratio.ts';
import { formatTime, formatUtc } from '../format/time.ts';
import { html } from '../html.ts';
import { Fact } from '../parts/fact.ts';
import { FigureText } from '../parts/figure-text.ts';
import { LeverageLine } from './leverage-line.ts';
import { ScoreBreakdown } from './score-breakdown.ts';
import {
  breakEven,
  dropToLiquidation,
  entryCost,
  formatBps,
  formatLeverage,
  type ShownFigure,
} from './strategy-figures.ts';
import { KIND_WORDS, limitWords, TYPE_WORDS } from './strategy-words.ts';
import type { WireSide, WireStrategy } from './wire-strategies.ts';

/** Everything known about one pair, in four parts that stand beside each other where there is room. */
export function StrategyDetail({ strategy }: { readonly strategy: WireStrategy }): VNode {
  return html`
    <div class="strategy-detail">
      <${ScoreBreakdown} strategy=${strategy} />
      <${Yield} strategy=${strategy} />
      <${Risk} strategy=${strategy} />
      <${Cost} strategy=${strategy} />
    </div>
  `;
}

function Yield({ strategy }: { readonly strategy: WireStrategy }): VNode {
  const { rates, supply, borrow } = strategy;
  const counted = 'unknown, counted as 0';
  return html`
    <section class="strategy-part">
      <h3>What it earns</h3>
      <${LeverageLine} strategy=${strategy} />
      <dl class="facts">
        <${Fact} label=${`Lending ${nameOf(supply)}`}>${formatPct(rates.lend_apy_pct)}<//>
        <${Fact} label=${`${nameOf(supply)} by itself`}><${Known} text=${formatPct(rates.native_apy_pct)} title=${counted} /><//>
        <${Fact} label="Rewards on the supply"><${Known} text=${formatPct(rates.emissions_apy_pct)} title=${counted} /><//>
        <${Fact} label=${`Borrowing ${nameOf(borrow)}`}>${costPct(rates.borrow_apy_pct)}<//>
        <${Fact} label=${`${nameOf(borrow)} by itself, owed`}>${costPct(rates.borrow_native_apy_pct)}<//>
        <${Fact} label="Net, mean of 7 days"><${Known} text=${formatPct(rates.net_apy_7d_pct)} title="not sampled long enough" /><//>
        <${Fact} label="Net, mean of 30 days"><${Known} text=${formatPct(rates.net_apy_30d_pct)} title="not sampled long enough" /><//>
      </dl>
    </section>
  `;
}

function Risk({ strategy }: { readonly strategy: WireStrategy }): VNode {
  const { kind, type, liquidation, theoretical_max_leverage: theoretical, emode_applied: emode } = strategy;
  return html`
    <section class="strategy-part">
      <h3>What can go wrong</h3>
      <dl class="facts">
        <${Fact} label="Kind">${KIND_WORDS[kind].label}<//>
        <${Fact} label="Fall to liquidation"><${Figure} figure=${dropToLiquidation(strategy)} /><//>
        <${Fact} label="Health ratio when opened">
          <${Known} text=${formatRatio(liquidation.health_ratio)} title="none without debt" />
        <//>
        <${Fact} label="Most leverage accepted">${formatLeverage(strategy.max_leverage)}<//>
        <${Fact} label="Bound of the weights alone">
          <${Known} text=${theoretical === null ? 'none' : formatLeverage(theoretical)} />
        <//>
        <${Fact} label="Better weights by e-mode">${emode ? 'yes' : 'no'}<//>
      </dl>
      <p class="strategy-note">${KIND_WORDS[kind].meaning} ${TYPE_WORDS[type]}.</p>
    </section>
  `;
}

function Cost({ strategy }: { readonly strategy: WireStrategy }): VNode {
  const { cost, type, supply, borrow } = strategy;
  const quoted = cost.swap_quoted_at;
  return html`
    <section class="strategy-part">
      <h3>Getting in</h3>
      <dl class="facts">
        <${Fact} label="Own capital that fits">${formatUsd(strategy.available_strategy_size_usd)}<//>
        <${Fact} label="Limited by">${limitWords(strategy.binding_constraint)}<//>
        <${Fact} label="Cost, of own capital"><${Figure} figure=${entryCost(strategy)} /><//>
        <${Fact} label="Paid for after"><${Figure} figure=${breakEven(strategy)} /><//>
        <${Fact} label="Fee, of what is borrowed">${formatBps(cost.origination_fee_bps)}<//>
        <${Fact} label="Swap, of what is swapped">
          ${
            type === 'rate_arbitrage'
              ? 'none needed'
              : html`<${Known} text=${cost.swap_bps === null ? UNKNOWN : formatBps(cost.swap_bps)} title="not quoted yet" />`
          }
        <//>
        ${
          quoted !== null &&
          html`<${Fact} label="Quoted">
            <time datetime=${quoted} title=${formatUtc(quoted)}>${formatTime(quoted)}</time>
            ${cost.swap_size_usd !== null && ` for ${formatUsd(cost.swap_size_usd)}`}
          <//>`
        }
        <${Fact} label="Banks">
          <a href=${`/banks/${supply.bank}`}>${nameOf(supply)} on ${supply.venue}</a>,${' '}
          <a href=${`/banks/${borrow.bank}`}>${nameOf(borrow)} on ${borrow.venue}</a>
        <//>
      </dl>
    </section>
  `;
}

function Known({ text, title }: { readonly text: string; readonly title?: string }): VNode {
  return html`<${FigureText} text=${text} title=${text === UNKNOWN ? title : undefined} />`;
}

export function Figure({ figure }: { readonly figure: ShownFigure }): VNode {
  return html`<${FigureText} text=${figure.text} title=${figure.title} />`;
}

/** A cost is what it takes away; a cost below nothing gives. */
function costPct(pct: number): string {
  return pct === 0 ? formatPct(0) : formatPct(-pct);
}

export function nameOf({ symbol, mint }: WireSide): string {
  return symbol ?? `${mint.slice(0, 4)}…`;
}
