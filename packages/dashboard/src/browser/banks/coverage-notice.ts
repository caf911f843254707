import type { VNode } from 'preact';
import type { WireBanksReply } from '../data/wire-records.ts';
import { html } from '../html.ts';
import { Notice } from '../parts/states.ts';

/** What is missing from the list, where something is. */
export function CoverageNotice({ coverage }: Pick<WireBanksReply, 'coverage'>): VNode | null {
  const { complete, venues_missing: venues, banks_skipped: banks } = coverage;
  if (complete) return null;
  return html`
    <${Notice}>
      <ul>
        ${venues.map(({ venue, reason }) => html`<li key=${venue}>Rates of ${venue} are not current: ${reason}</li>`)}
        ${banks.length > 0 && html`<li>${banks.length} ${banks.length === 1 ? 'bank' : 'banks'} could not be read</li>`}
      </ul>
    <//>
  `;
}
