import type { VNode } from 'preact';
import { html } from '../html.ts';
import { scorePointsOf } from './score-points.ts';
import { MERIT_WORDS, MERITS, PENALTY_MEANING } from './strategy-words.ts';
import type { WireStrategy } from './wire-strategies.ts';

const points = (value: number): string => value.toFixed(1);

/** A score taken apart: what each part adds of what it could, and what is taken off. */
export function ScoreBreakdown({ strategy }: { readonly strategy: WireStrategy }): VNode {
  const { score, score_parts: parts, score_version: version } = strategy;
  const known = scorePointsOf(strategy);
  return html`
    <section class="strategy-part">
      <h3>Score ${points(score)} of 100</h3>
      <ul class="score-parts">
        ${
          known !== null &&
          html`
            <li>
              <span class="score-part-name">Base</span>
              <span class="score-part-worth">${points(known.base)}</span>
              <span class="score-part-meaning">50 where it earns, fits and bets on no price</span>
            </li>
          `
        }
        ${MERITS.map((merit) => {
          const { label, meaning } = MERIT_WORDS[merit];
          const worth = known?.merits[merit];
          return html`
            <li key=${merit}>
              <span class="score-part-name">${label}</span>
              <span class="score-part-worth">${worth === undefined ? parts[merit].toFixed(2) : `${points(worth.points)} of ${worth.of}`}</span>
              <${Share} share=${parts[merit]} />
              <span class="score-part-meaning">${meaning}</span>
            </li>
          `;
        })}
        <li>
          <span class="score-part-name">Penalty</span>
          <span class="score-part-worth">${known === null ? `× ${(1 - parts.penalty).toFixed(2)}` : `−${points(known.penaltyPoints)}`}</span>
          <${Share} share=${parts.penalty} isLoss=${true} />
          <span class="score-part-meaning">${PENALTY_MEANING}</span>
        </li>
      </ul>
      <p class="strategy-note">
        ${
          known === null
            ? 'The parts, each from 0 to 1; what they weigh is in the guide of this version of the score.'
            : `${[known.base, ...MERITS.map((merit) => known.merits[merit].points)].map(points).join(' + ')} − ${points(known.penaltyPoints)} = ${points(score)}`
        }${' '}
        (version ${version})
      </p>
    </section>
  `;
}

/** A bar from 0 to 1; the figure beside it says the same. */
function Share({ share, isLoss = false }: { readonly share: number; readonly isLoss?: boolean }): VNode {
  const width = Math.min(1, Math.max(0, share)) * 100;
  return html`
    <svg class=${`share ${isLoss ? 'share-loss' : ''}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="share-whole" width="100" height="6" />
      <rect class="share-part" width=${width} height="6" />
    </svg>
  `;
}
