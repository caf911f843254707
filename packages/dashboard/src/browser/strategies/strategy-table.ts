import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { formatPct, formatUsd } from '../format/number.ts';
import { html } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import { FigureText } from '../parts/figure-text.ts';
import { Figure, nameOf, StrategyDetail } from './strategy-detail.ts';
import { breakEven, dropToLiquidation, entryCost, formatLeverage } from './strategy-figures.ts';
import { KIND_WORDS, limitWords } from './strategy-words.ts';
import type { WireSide, WireStrategy } from './wire-strategies.ts';

const HEADS = [
  { label: 'Pair' },
  { label: 'Score', title: 'Carry, stability, capacity and liquidity, less a penalty; 0 to 100' },
  { label: 'Net APY', title: 'On own capital, at the recommended leverage' },
  { label: 'Leverage', title: 'Recommended, of the most that a loop accepts' },
  { label: '7 d / 30 d', title: 'Net APY at the recommended leverage, with the mean rates of that time' },
  { label: 'Size', title: 'Own capital that fits at the recommended leverage, and what stops more' },
  { label: 'Liquidation', title: "How far the supply's price may fall in the debt's" },
  { label: 'Getting in', title: 'Swap and fees, of own capital, and how long the yield takes to pay for them' },
] as const;

const keyOf = ({ supply, borrow }: WireStrategy): string => `${supply.bank}-${borrow.bank}`;

/** The pairs in the order they were answered in; each opens to show what it is made of. */
export function StrategyTable({ strategies }: { readonly strategies: readonly WireStrategy[] }): VNode {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string): void =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  const caption = 'Strategies, best first';
  return html`
    <div class="table-scroll strategies" role="region" aria-label=${caption} tabindex="0">
      <table>
        <caption class="visually-hidden">${caption}</caption>
        <thead>
          <tr>
            ${HEADS.map((head, index) => html`<th key=${head.label} scope="col" class=${index === 0 ? undefined : 'figure'} title=${'title' in head ? head.title : undefined}>${head.label}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${strategies.map((strategy, index) => {
            const key = keyOf(strategy);
            return html`<${StrategyRows} key=${key} strategy=${strategy} rank=${index + 1} isOpen=${open.has(key)} toggle=${() => toggle(key)} />`;
          })}
        </tbody>
      </table>
    </div>
  `;
}

interface RowProps {
  readonly strategy: WireStrategy;
  readonly rank: number;
  readonly isOpen: boolean;
  toggle(): void;
}

function StrategyRows({ strategy, rank, isOpen, toggle }: RowProps): VNode {
  const { supply, borrow, rates, kind, type, recommended_leverage: recommended, max_leverage: max } = strategy;
  const detailId = `strategy-${rank}`;
  return html`
    <tr class=${isOpen ? 'is-open' : undefined}>
      <th scope="row">
        <button type="button" class="pair" aria-expanded=${isOpen} aria-controls=${isOpen ? detailId : undefined} onClick=${toggle}>
          <span class="pair-rank" aria-hidden="true">${rank}</span>
          <span class="pair-sides">
            <span class="pair-symbols">${nameOf(supply)} <span class="visually-hidden">supplied, borrowing</span><span aria-hidden="true">/</span> ${nameOf(borrow)}</span>
            <span class="pair-venues">${venuesOf(supply, borrow)}</span>
          </span>
          <span class="pair-badges">
            <${Badge} title=${KIND_WORDS[kind].meaning}>${KIND_WORDS[kind].label}<//>
            ${type === 'rate_arbitrage' && html`<${Badge} title="The same token on both sides: no swap is needed">No swap<//>`}
          </span>
        </button>
      </th>
      <td class="figure">
        <span class="score">${strategy.score.toFixed(1)}</span>
        <svg class="share score-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
          <rect class="share-whole" width="100" height="6" />
          <rect class="share-part" width=${strategy.score} height="6" />
        </svg>
      </td>
      <td class="figure">
        <span class="lead lead-strong">${formatPct(rates.net_apy_at_recommended_leverage_pct)}</span>
        <span class="sub sub-wide">${formatPct(rates.net_apy_base_pct)} at 1×, ${formatPct(rates.net_apy_at_max_leverage_pct)} at max</span>
      </td>
      <td class="figure">
        <span class="lead">${formatLeverage(recommended)}</span>
        <span class="sub">of ${formatLeverage(max)} max</span>
      </td>
      <td class="figure">
        <span class="lead"><${FigureText} text=${formatPct(rates.net_apy_7d_pct)} title=${known(rates.net_apy_7d_pct)} /></span>
        <span class="sub"><${FigureText} text=${formatPct(rates.net_apy_30d_pct)} title=${known(rates.net_apy_30d_pct)} /></span>
      </td>
      <td class="figure">
        <span class="lead">${formatUsd(strategy.available_strategy_size_usd)}</span>
        <span class="sub">by ${limitWords(strategy.binding_constraint)}</span>
      </td>
      <td class="figure"><span class="lead"><${Figure} figure=${dropToLiquidation(strategy)} /></span></td>
      <td class="figure">
        <span class="lead"><${Figure} figure=${entryCost(strategy)} /></span>
        <span class="sub"><${Figure} figure=${breakEven(strategy)} /></span>
      </td>
    </tr>
    ${
      isOpen &&
      html`<tr class="strategy-open"><td id=${detailId} colspan=${HEADS.length}><${StrategyDetail} strategy=${strategy} /></td></tr>`
    }
  `;
}

function known(value: number | null): string | undefined {
  return value === null ? 'unknown: not sampled long enough' : undefined;
}

function venuesOf(supply: WireSide, borrow: WireSide): string {
  return supply.venue === borrow.venue ? supply.venue : `${supply.venue} / ${borrow.venue}`;
}
